import {
  answered,
  type CallOptions,
  describe,
  type Exchange,
  type GrpcReading,
  grpcIn,
  inconclusive,
  isGrpcCall,
  type Judgement,
  type Law,
  type LawJudgement,
  type NativeChange,
  type Outcome,
  type Reading,
  type Recorded,
  refused,
  type Scene,
  sleep,
  worst,
} from '../../src/kit/index.js';
import { ask } from '../rpc/calls.js';

// Shared by the checks of this chapter. No rules: index.ts does not collect this file.

/** Judges each answer of gRPC at the interface that is judged. */
export const eachAnswer =
  (judge: (answer: GrpcReading, reading: Reading, tape: readonly Recorded[]) => LawJudgement): Law['judge'] =>
  (reading, target, tape) => {
    const answer = isGrpcCall(reading, target) ? grpcIn(reading.exchange) : undefined;
    return answer === undefined ? 'not-concerned' : judge(answer, reading, tape);
  };

/** The answer to a valid call whose end says that it failed; undefined: it is another one. */
export function failed(answer: GrpcReading, { valid }: Reading): GrpcReading | undefined {
  const { code } = answer.end;
  return valid && answer.isWhole && code !== undefined && code !== 0 ? answer : undefined;
}

/** Whether the agent reset the stream, or closed the connection, instead of an answer. */
export const wasReset = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'invalid-response' && outcome.exchange.failure?.kind === 'reset';

/** Expects any status but OK, an HTTP 4xx, or a stream that was reset (AMB10-49). */
export const refusedSomehow = (outcome: Outcome<unknown>): Judgement =>
  wasReset(outcome) ? undefined : refused(outcome);

/** How a call of a series is made. */
export type Limits = Pick<CallOptions, 'timeoutMs'>;

/** A call of GetTask for a task that does not exist, which the request in the form of the binding is made of. */
export const askWith = (scene: Scene, native: NativeChange, limits?: Limits): Promise<Outcome<unknown>> =>
  ask(scene, { native, invalid: true, ...limits });

/** A series of calls, and the plain call after them. */
export interface Endured {
  readonly seen: readonly (readonly [what: string, outcome: Outcome<unknown>])[];
  readonly before: Outcome<unknown>;
  readonly after: Outcome<unknown>;
}

/** A call that has no answer by then may never have one, ms. */
const soonMs = 2000;
/** The least time in which a call that libraries answer by themselves has an answer, ms. */
const leastMs = 4000;
/** The same as a multiple of what a plain call takes. */
const leastFactor = 100;

/**
 * Makes the calls one after another, with a plain call before them all and one after them all. For a call without an
 * answer after `soonMs` the kit waits while it makes the next ones, and at the end while other checks run. If the plain
 * call is answered at once, a call has less time than the whole patience.
 */
export async function endure(
  scene: Scene,
  calls: Readonly<Record<string, (limits: Limits) => Promise<Outcome<unknown>>>>,
): Promise<Endured> {
  const from = scene.clock.now();
  const before = await ask(scene);
  const limits = { timeoutMs: Math.min(scene.patienceMs, Math.max(leastMs, leastFactor * (scene.clock.now() - from))) };
  const seen: Promise<readonly [string, Outcome<unknown>]>[] = [];
  for (const [what, call] of Object.entries(calls)) {
    const outcome = call(limits);
    seen.push(outcome.then((outcome) => [what, outcome]));
    await Promise.race([outcome, sleep(scene.clock, soonMs)]);
  }
  const after = await ask(scene);
  return { seen: await scene.aside(Promise.all(seen)), before, after };
}

/** Expects that each call of a series is judged so; the reason names the first that is not. */
export const eachOf =
  (judge: (outcome: Outcome<unknown>) => Judgement) =>
  ({ seen }: Endured): Judgement =>
    worst(
      seen.map(([what, outcome]) => {
        const judgement = judge(outcome);
        return typeof judgement === 'string' ? `${what}: ${judgement}` : judgement;
      }),
    );

/** Expects that the plain call after a series is answered as the one before it. */
export function worksAfter({ seen, before, after }: Endured): Judgement {
  const [lost] = seen.find(([, outcome]) => wasReset(outcome)) ?? [];
  if (lost !== undefined && after.kind === 'not-sent') return `${lost}: the connection was lost, and the agent is gone`;
  if (before.kind !== 'result' && before.kind !== 'refusal')
    return inconclusive(`the agent did not answer the call before either: ${describe(before)}`);
  if (after.kind === before.kind) return undefined;
  const other = answered(after);
  return other === undefined ? `the answer to the call after it: ${describe(after)}` : other;
}

/** How long an exchange took, for people. */
export const tookText = ({ durationMs }: Exchange): string => `${(durationMs / 1000).toFixed(1)} s`;
