import { readOutcome, tellsError } from '../../client/index.js';
import {
  aTask,
  deniedText,
  describe,
  firstAnswer,
  giveCredentials,
  heeding,
  type Outcome,
  PreconditionUnmet,
  type Scene,
  type Source,
} from '../../kit/index.js';
import type { Exchange } from '../../wire/index.js';
import { overloadText, raiseLimit, refusalText } from './acceptance.js';

/** Advice when an agent wants credentials. */
export const credentialsAdvice = ({ signing }: Pick<Scene, 'signing'>): string => signing?.advice ?? giveCredentials();

/** The fact about the agent behind a doubt, for the list of causes. */
export interface ControlCause {
  readonly id: 'credentials' | 'overloaded' | 'no-message' | 'no-refusal' | 'late' | 'not-sent';
  readonly fact: string;
  readonly advice: string;
  /** The outcome that shows it. */
  readonly outcome: Outcome<unknown> | undefined;
}

/** Why no pass of an agent counts. */
export interface FailedControl {
  readonly reason: string;
  readonly cause: ControlCause;
  /** The agent takes longer for a message than the kit waits, so its timeouts say nothing either. */
  readonly isLate?: true;
}

const soNothing = 'so its refusals show nothing';

const isOverloaded = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'busy' ||
  (outcome.kind === 'invalid-response' && [429, 503].includes(outcome.exchange.response?.status ?? 0));

const overload = (outcome: Outcome<unknown>): ControlCause => ({
  id: 'overloaded',
  fact: overloadText(outcome),
  advice: raiseLimit,
  outcome,
});

/** Why the agent was not seen to refuse anything; undefined if it refuses. */
function unseenRefusal(scene: Scene, unknown: Outcome<unknown>): FailedControl | undefined {
  if (unknown.kind === 'denied') {
    const by = deniedText(unknown);
    const advice = credentialsAdvice(scene);
    const cause: ControlCause = { id: 'credentials', fact: `no call was accepted: ${by}`, advice, outcome: unknown };
    return { reason: `the agent wants credentials (${by}); ${advice}`, cause };
  }
  // An error of A2A under a wrong status is a refusal: laws about errors judge its form.
  if (unknown.kind === 'refusal' && tellsError(unknown)) return undefined;
  const what = `the agent refused no request (asked for a task that does not exist: ${describe(unknown)})`;
  if (isOverloaded(unknown))
    return { reason: `${what}, so the requests that it accepts show nothing`, cause: overload(unknown) };
  const { title } = scene.client.dialect.binding;
  const advice = `is that the endpoint of an agent that speaks ${title}? --url takes its card as well`;
  return {
    reason: `${what}, so the requests that it accepts show nothing`,
    cause: { id: 'no-refusal', fact: what, advice, outcome: unknown },
  };
}

/** The doubt when no message was accepted; the outcome of the first message gives the reason. */
function unaccepted(scene: Scene, exchange: Exchange | undefined, said: string): FailedControl {
  const how = heeding(scene.behaviours, 'set behaviours.completed');
  const reason = `${how}: the agent accepted no message, ${soNothing}`;
  const outcome = exchange && readOutcome<unknown>(exchange, scene.client.dialect, (wire) => wire ?? null);
  if (outcome?.kind === 'denied') {
    const fact = `no message was accepted: ${deniedText(outcome)}`;
    return { reason, cause: { id: 'credentials', fact, advice: credentialsAdvice(scene), outcome } };
  }
  if (outcome !== undefined && isOverloaded(outcome)) return { reason, cause: overload(outcome) };
  const fact = `no message was accepted: ${outcome === undefined ? said : refusalText(outcome)}`;
  const advice = `call the agent by hand; if it accepts only certain messages, ${how}`;
  return { reason, cause: { id: 'no-message', fact, advice, outcome } };
}

const withheldFor = (option: string, under: 'under' | 'without'): FailedControl => {
  const fact = `${under} ${option} the agent cannot be seen to accept anything`;
  return {
    reason: `${fact}, ${soNothing}`,
    cause: {
      id: 'not-sent',
      fact,
      advice: `${under === 'under' ? 'leave out' : 'give'} ${option}`,
      outcome: undefined,
    },
  };
};

/** An agent that leaves plain messages without an answer may still answer those that are streamed. */
async function isHeardInStreams({ client, card, say }: Scene): Promise<boolean> {
  if (!card.capabilities.streaming) return false;
  const opened = await client.open('stream', { message: say() });
  if (opened.kind !== 'stream') return false;
  opened.close();
  return opened.seen[0]?.event !== undefined;
}

/** Why the source cannot be reached; undefined: it can. */
async function unmet(scene: Scene, source: Source<unknown>): Promise<PreconditionUnmet | undefined> {
  try {
    await scene.use(source);
    return undefined;
  } catch (error) {
    if (error instanceof PreconditionUnmet) return error;
    throw error;
  }
}

/**
 * The control of the whole run: the agent must have been seen to accept something and to refuse something. An agent
 * that accepts everything or refuses everything meets half of the sentences by accident, so its passes show nothing.
 * Undefined: passes count.
 */
export async function sanityControls(scene: Scene): Promise<FailedControl | undefined> {
  const [unknown, unanswered] = await scene.sideBySide(
    () => scene.client.call('get', { id: scene.uuid() }),
    () => unmet(scene, firstAnswer),
  );
  const unseen = unseenRefusal(scene, unknown);
  if (unseen !== undefined || unanswered === undefined) return unseen;
  let isLate = false;
  for (const source of [undefined, aTask('completed'), aTask('input-required')]) {
    const error = source === undefined ? unanswered : await unmet(scene, source);
    if (error === undefined) return undefined;
    const [option] = /--(read-only|[a-z0-9]+-allow-send|timeout)/.exec(error.message) ?? [];
    isLate ||= option === '--timeout';
    if (!isLate && option !== undefined) return withheldFor(option, option === '--read-only' ? 'under' : 'without');
  }
  if (isLate && (await isHeardInStreams(scene))) return undefined;
  if (isLate) {
    const fact = 'the agent finished no message in time';
    const cause: ControlCause = { id: 'late', fact, advice: 'raise --timeout', outcome: undefined };
    return { reason: `raise --timeout: ${fact}, ${soNothing}`, isLate, cause };
  }
  return unaccepted(scene, unanswered.exchange, unanswered.message);
}
