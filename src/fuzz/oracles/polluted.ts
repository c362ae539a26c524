import { neutralPrompt } from '../../kit/index.js';
import { isObject, isString, type Message, member } from '../../model/index.js';
import type { Case } from '../case/case.js';
import type { Sent, Trace } from '../execute/trace.js';
import { callOf } from '../generate/scripting.js';
import type { Oracle, OracleContext, Symptom } from './oracle.js';
import { remembered, saidIn, symptomOf, throughAny } from './symptom.js';

// Some requests have members named `__proto__` and `constructor` that hold `polluted`. An agent that copies them
// unchecked writes into the prototype of all objects, and shows `polluted` in unrelated answers.

const name = 'polluted';

/** The objects of an answer that the agent itself writes, where nothing of a request is repeated. */
function* ownObjects(envelope: unknown): Generator<unknown> {
  yield envelope;
  yield member(envelope, 'error');
  const result = member(envelope, 'result');
  for (const shown of [result, member(result, 'task')]) {
    // Messages, pages and configurations may repeat what was sent.
    if (!isObject(member(shown, 'status')) || !isString(member(shown, 'id'))) continue;
    yield shown;
    yield member(shown, 'status');
  }
}

const isPolluted = ({ exchange, reading }: Sent): boolean =>
  Buffer.from(exchange.response?.body ?? []).includes(name) &&
  reading.replies.some(({ value }) =>
    [...ownObjects(value)].some(
      (ownObject) => isObject(ownObject) && Object.hasOwn(ownObject, name) && ownObject[name] === true,
    ),
  );

const says = (sent: Sent): boolean => saidIn(sent).includes(name) || JSON.stringify(sent.step).includes(name);

const asked = remembered(() => ({ times: 0, vain: 0 }));
const mostVain = 3;

/** A case with one new message, to no task and in no context. */
function plainCase({ dialect }: OracleContext, count: number): Case | undefined {
  if (dialect.operations.send === undefined) return undefined;
  const messageId = `tck-plain-words-${count}`;
  const message: Message = { messageId, role: 'user', parts: [{ kind: 'text', text: neutralPrompt }] };
  return { dialect: dialect.id, steps: [callOf({ dialect }, 'send', { message })] };
}

/** An answer may repeat requests of its own task; only the answer to a new and plain message counts. */
async function proven(trace: Trace, oracleContext: OracleContext): Promise<readonly Symptom[]> {
  const memory = asked(oracleContext);
  const plain = memory.vain < mostVain ? plainCase(oracleContext, memory.times++) : undefined;
  if (plain === undefined) return [];
  const shown = (await oracleContext.perform(plain)).sent.find((sent) => isPolluted(sent) && !says(sent));
  if (shown === undefined) {
    memory.vain++;
    return [];
  }
  const title = 'an answer has a member that stood below __proto__ or constructor in another request';
  const symptom = throughAny(symptomOf('leak', `leak/polluted objects ${shown.step.operation}`, title, shown));
  // The request that did it goes first, where this case has it.
  const steps = trace.sent.some(says) ? trace.case.steps : [];
  return [{ ...symptom, case: { ...plain, steps: [...steps, ...plain.steps] } }];
}

export const polluted: Oracle = (trace, oracleContext) =>
  trace.sent.some((sent) => isPolluted(sent) && !says(sent)) ? proven(trace, oracleContext) : [];
