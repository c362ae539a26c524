import {
  brief,
  check,
  describe,
  endedTask,
  inconclusive,
  type Judgement,
  lacksOperation,
  type Outcome,
  otherBinding,
  type Task,
} from '../../src/kit/index.js';

// A2A 1.0 §5.1 Functional Equivalence Requirements; 0.3 §3.4.1, §11.1.4. The same agent over another binding.

/** What is the same in every binding: times and the history that is shown may differ. */
const canonical = ({ id, contextId, status, artifacts = [] }: Task): unknown => ({
  id,
  contextId,
  state: status.state,
  artifacts: artifacts.map(({ name, parts }) => ({ name, parts })),
});

// In our words (1.0, 5.1 Functional Equivalence Requirements): REST offers the same operations and results as the other
//   bindings.
export const sameTask = check('rest/same-task', 'rest.same-task')
  .given('task', endedTask)
  .when('the client reads a task over both bindings', async (scene) => {
    const { client, task } = scene;
    const other = otherBinding(scene);
    return { own: await client.call('get', { id: task.id }), there: await other.call('get', { id: task.id }), other };
  })
  .expects('return the same task', ({ own, there, other }): Judgement => {
    if (own.kind !== 'result') return inconclusive(`the agent did not show the task: ${describe(own)}`);
    if (there.kind === 'refusal' && there.inForm) return `over ${other.dialect.binding.title} ${describe(there)}`;
    if (there.kind !== 'result') return inconclusive(`over ${other.dialect.binding.title} ${describe(there)}`);
    const [ownText, otherText] = [canonical(own.value), canonical(there.value)].map((value) => JSON.stringify(value));
    return ownText === otherText
      ? undefined
      : `${brief(ownText, 150)}; over ${other.dialect.binding.title} ${brief(otherText, 150)}`;
  })
  .advice('Put one task store behind both bindings, and make both answers from one object.');

const missing = (outcome: Outcome<unknown>): boolean =>
  lacksOperation(outcome) || (outcome.kind === 'refusal' && !outcome.inForm);

// In our words (0.3, 3.2.3 HTTP+JSON/REST Transport): REST offers every method the agent offers on other transports.
export const everyOperation = check('rest/every-operation', 'rest.every-operation')
  .given('task', endedTask)
  .when('the client cancels an ended task over both bindings', async (scene) => {
    const { client, task } = scene;
    const other = otherBinding(scene);
    return { there: await other.call('cancel', { id: task.id }), own: await client.call('cancel', { id: task.id }) };
  })
  .expects('have the operation over both, or over neither', ({ there, own }): Judgement => {
    if (there.kind !== 'result' && there.kind !== 'refusal') return inconclusive(describe(there));
    if (missing(there)) return inconclusive(`the task is missing over the other binding too: ${describe(there)}`);
    return missing(own) ? describe(own) : undefined;
  })
  .advice(
    'Route all operations that JSON-RPC has, POST /v1/tasks/{id}:cancel too. Some routers need a rule for the colon in the last segment.',
  );
