import {
  anyTask,
  brief,
  type Client,
  canParseUrl,
  check,
  describe,
  inconclusive,
  type Judgement,
  lacksOperation,
  NotApplicable,
  type Outcome,
  type Scene,
  type Task,
} from '../../src/kit/index.js';

// A2A 1.0 §5.1 Functional Equivalence Requirements; 0.3 §3.4.1, §11.1.4. The same agent over another binding.

/** A client of another interface of the same version, over another binding; at the same origin, no other is called. */
function otherBinding({ client, card }: Scene): Client {
  const { binding } = client.dialect;
  const { origin } = new URL(client.endpoint);
  for (const { url, transport, version, tenant } of card.interfaces) {
    if (transport === binding.transport || tenant !== undefined || !canParseUrl(url)) continue;
    if (new URL(url).origin !== origin || version?.startsWith('0.') === true) continue;
    const other = client.at(url, transport, version);
    if (other !== undefined) return other;
  }
  throw new NotApplicable('the card declares no other binding that the kit speaks, at the same origin');
}

/** What is the same in every binding: times and the history that is shown may differ. */
const canonical = ({ id, contextId, status, artifacts = [] }: Task): unknown => ({
  id,
  contextId,
  state: status.state,
  artifacts: artifacts.map(({ name, parts }) => ({ name, parts })),
});

export const sameTask = check('rest/same-task', 'rest.same-task')
  .given('task', anyTask)
  .when('the client reads one task over both bindings', async (scene) => {
    const { client, task } = scene;
    const other = otherBinding(scene);
    return { own: await client.call('get', { id: task.id }), there: await other.call('get', { id: task.id }), other };
  })
  .expects('return the same task', ({ own, there, other }): Judgement => {
    if (own.kind !== 'result') return inconclusive(`the task could not be read: ${describe(own)}`);
    if (there.kind === 'refusal' && there.inForm) return `over ${other.dialect.binding.title} ${describe(there)}`;
    if (there.kind !== 'result') return inconclusive(`over ${other.dialect.binding.title} ${describe(there)}`);
    const [one, two] = [canonical(own.value), canonical(there.value)].map((value) => JSON.stringify(value));
    return one === two ? undefined : `${brief(one, 150)}; over ${other.dialect.binding.title} ${brief(two, 150)}`;
  })
  .killedBy('rest-tasks-not-shared');

const missing = (outcome: Outcome<unknown>): boolean =>
  lacksOperation(outcome) || (outcome.kind === 'refusal' && !outcome.inForm);

export const everyOperation = check('rest/every-operation', 'rest.every-operation')
  .given('task', anyTask)
  .when('the client cancels a task over both bindings', async (scene) => {
    const { client, task } = scene;
    const other = otherBinding(scene);
    return { there: await other.call('cancel', { id: task.id }), own: await client.call('cancel', { id: task.id }) };
  })
  .expects('have the operation over both, or over neither', ({ there, own }): Judgement => {
    if (there.kind !== 'result' && there.kind !== 'refusal') return inconclusive(describe(there));
    if (missing(there)) return inconclusive(`the other binding does not have it either: ${describe(there)}`);
    return missing(own) ? describe(own) : undefined;
  })
  .killedBy('rest-cancel-over-rpc-only');
