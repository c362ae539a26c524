import type { ProfileId } from '../../dialect/index.js';
import type { Operation } from '../../model/index.js';

// A case is a script of requests, as data: it can be run, shrunk, stored, and run again in another dialect. A case does
// not depend on answers of an agent; references name ids that only the agent knows.

/**
 * A JSON value, with short forms for what is too large, too odd or not yet known. Each is an object with one member:
 * - `$ref`: "a.task", "a.context", "a.config", "a.token": what the step named `a` began
 * - `$text`: [unit, times]: a long string
 * - `$list`: [item, times]: a long array
 * - `$nest`: [opening, times]: nested arrays ("[") or objects ("{")
 * - `$raw`: literal JSON text: 1e400, "\ud800" …
 */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [member: string]: Value };

/** The schema keyword that an edit breaks, so that the oracle knows which answer is right. */
export type Keyword = 'type' | 'required' | 'enum' | 'const' | 'format' | 'pattern' | 'bounds' | 'additional' | 'shape';

/** One change to the request object before it is printed. */
export interface Edit {
  /** JSON pointer into the whole request object: `/params/message/parts/0/kind`, `/id`, `/method`. */
  readonly at: string;
  readonly op: 'set' | 'remove';
  /** Left out where something is removed. */
  readonly value?: Value;
  readonly keyword: Keyword;
}

/** One change to the text, the bytes, the headers or the connection of a request; see wire mutations.ts for each. */
export interface WireMutation {
  readonly trick: string;
  readonly [argument: string]: Value;
}

/** The right answer. `open`: the specification leaves it open, or a leniency is tolerated. */
export type Demand = 'valid' | 'open' | 'parse-error' | 'invalid-request' | 'unknown-method' | 'invalid-params';

/** One request to the endpoint. */
export interface CallStep {
  readonly step: 'call';
  readonly operation: Operation;
  /** Valid params in the dialect of the case; left out: the request has none. */
  readonly params?: Value;
  readonly edits?: readonly Edit[];
  readonly tricks?: readonly WireMutation[];
  /** A name by which later steps refer to what the answer begins: a task, a context, a configuration, a next page. */
  readonly as?: string;
  /** Default: the configured caller. */
  readonly caller?: 'second' | 'none';
  /** Of a stream: drop it after so many events. Default: read to its end, or for `listenMs`. */
  readonly events?: number;
  readonly listenMs?: number;
  /** Of a stream: how long the agent may take to end it once its task has ended. */
  readonly graceMs?: number;
}

/** Reads a task until it has settled, or the patience of the run is over. */
export interface WaitStep {
  readonly step: 'wait';
  /** The `as` of the step that began the task. */
  readonly for: string;
}

/** Calls sent at once, without waiting for each other. */
export interface TogetherStep {
  readonly step: 'together';
  readonly calls: readonly CallStep[];
}

export type Step = CallStep | WaitStep | TogetherStep;

export interface Case {
  readonly dialect: ProfileId;
  readonly steps: readonly Step[];
}

/** All calls of a case in order. */
export const callsOf = ({ steps }: Pick<Case, 'steps'>): readonly CallStep[] =>
  steps.flatMap((step) => {
    if (step.step === 'call') return [step];
    return step.step === 'together' ? step.calls : [];
  });

/** The case with each of its calls replaced by what `change` returns. */
export const withCalls = ({ dialect, steps }: Case, change: (call: CallStep) => CallStep): Case => ({
  dialect,
  steps: steps.map((step) => {
    if (step.step === 'call') return change(step);
    return step.step === 'together' ? { ...step, calls: step.calls.map(change) } : step;
  }),
});

/** The step refers to something that an earlier step began. */
export const isFollowing = (step: Step): boolean => step.step !== 'wait' && JSON.stringify(step).includes('"$ref"');
