import type { Clock } from '../../wire/index.js';
import type { CallStep, Case, Step, WireMutation } from '../case/case.js';
import { unchangedStep } from '../oracles/mutation.js';
import type { Bench } from '../schedule/campaign-settings.js';
import { fewer, smaller } from './reductions.js';
import type { Shows } from './showing.js';

export interface ShrinkLimits {
  /** Cases that are run in all. */
  readonly executions: number;
  /** On the clock of the campaign, ms: a fault that hangs costs a timeout each time. */
  readonly ms: number;
}

/** Whether the params of a step, edits and all, fit the schema of the operation. */
export type StepJudge = (step: CallStep) => boolean;

interface Shrinking {
  readonly shrinking: ShrinkLimits;
  readonly clock: Clock;
  readonly judgeStep: StepJudge;
}

/** Limit of shrinking on a bench that is brief, ms: each case that still shows the symptom costs a wait. */
const briefShrinkMs = 10_000;
/** Runs of one candidate at most if the symptom is flaky; more than half of them must show it. */
const flakyTries = 3;

/**
 * The smallest case that was found to show the symptom: fewer steps, then fewer changes, then smaller values. Greedy,
 * and deterministic for a deterministic agent, except for the limit of time.
 */
export async function shrink(
  begin: Case,
  showsIt: Shows,
  isFlaky: boolean,
  bench: Bench,
  { shrinking, clock, judgeStep }: Shrinking,
): Promise<Case> {
  const end = clock.now() + (bench.isBrief ? Math.min(shrinking.ms, briefShrinkMs) : shrinking.ms);
  let left = shrinking.executions;
  const isOver = (): boolean => left <= 0 || clock.now() >= end || bench.isOver();

  async function shows(next: Case): Promise<boolean> {
    const tries = isFlaky ? flakyTries : 1;
    let shown = 0;
    for (let tried = 1; tried <= tries && !isOver(); tried++) {
      left--;
      if (showsIt(await bench.attempt(next))) shown++;
      if (shown * 2 > tries) return true;
      if ((tried - shown) * 2 > tries) return false;
    }
    return false;
  }

  const tried = new Set<string>();
  let best = begin;

  /** Runs candidates from index `from` on until one shows the symptom: its index, or undefined. */
  async function advance(candidates: Iterable<Case>, from: number): Promise<number | undefined> {
    let at = 0;
    for (const next of candidates) {
      if (at++ < from) continue;
      const text = JSON.stringify(next);
      if (tried.has(text)) continue;
      if (isOver()) return undefined;
      tried.add(text);
      if (!(await shows(next))) continue;
      best = next;
      return at - 1;
    }
    return undefined;
  }

  for (const pass of [fewerSteps, oneAfterTheOther, fewerChanges, smallerValues, fewerSteps]) {
    // A candidate that failed may work after a success: rounds, until one brings nothing.
    for (let moved = true; moved; ) {
      moved = false;
      for (let at: number | undefined = 0; at !== undefined; ) {
        at = await advance(pass(best, judgeStep), at);
        moved ||= at !== undefined;
      }
    }
  }
  return best;
}

const withSteps = (fuzzCase: Case, steps: readonly Step[]): Case => ({ ...fuzzCase, steps });

/** Leaves out halves, quarters … single steps, the last steps last: they mostly show the symptom. */
function* fewerSteps(fuzzCase: Case): Generator<Case> {
  const { steps } = fuzzCase;
  for (let size = steps.length >> 1; size >= 1; size >>= 1) {
    for (let from = 0; from < steps.length; from += size) {
      const rest = [...steps.slice(0, from), ...steps.slice(from + size)];
      if (rest.length > 0) yield withSteps(fuzzCase, rest);
    }
  }
  for (const [at, step] of steps.entries()) {
    if (step.step !== 'together') continue;
    const { calls } = step;
    for (let size = calls.length >> 1; size >= 1; size >>= 1) {
      for (let from = 0; from < calls.length; from += size) {
        const rest = [...calls.slice(0, from), ...calls.slice(from + size)];
        if (rest.length > 0) yield withSteps(fuzzCase, steps.with(at, { ...step, calls: rest }));
      }
    }
  }
}

function* oneAfterTheOther(fuzzCase: Case): Generator<Case> {
  const { steps } = fuzzCase;
  for (const [at, step] of steps.entries()) {
    if (step.step === 'together')
      yield withSteps(fuzzCase, [...steps.slice(0, at), ...step.calls, ...steps.slice(at + 1)]);
  }
}

/** The case with one of its calls replaced by each of what `change` makes of it. */
function* eachCall(fuzzCase: Case, change: (call: CallStep) => Iterable<CallStep>): Generator<Case> {
  const { steps } = fuzzCase;
  for (const [at, step] of steps.entries()) {
    if (step.step === 'call') {
      for (const call of change(step)) yield withSteps(fuzzCase, steps.with(at, call));
    } else if (step.step === 'together') {
      for (const [among, own] of step.calls.entries()) {
        for (const call of change(own))
          yield withSteps(fuzzCase, steps.with(at, { ...step, calls: step.calls.with(among, call) }));
      }
    }
  }
}

const fewerChanges = (fuzzCase: Case): Generator<Case> =>
  eachCall(fuzzCase, function* (call) {
    const { edits = [], tricks = [], caller, events, listenMs, ...bare } = call;
    const kept = {
      ...(caller === undefined ? {} : { caller }),
      ...(events === undefined ? {} : { events }),
      ...(listenMs === undefined ? {} : { listenMs }),
    };
    for (const at of edits.keys()) {
      const rest = edits.filter((_, other) => other !== at);
      yield {
        ...bare,
        ...kept,
        ...(rest.length === 0 ? {} : { edits: rest }),
        ...(tricks.length === 0 ? {} : { tricks }),
      };
    }
    for (const at of tricks.keys()) {
      const rest = tricks.filter((_, other) => other !== at);
      yield {
        ...bare,
        ...kept,
        ...(edits.length === 0 ? {} : { edits }),
        ...(rest.length === 0 ? {} : { tricks: rest }),
      };
    }
    const changes = { ...(edits.length === 0 ? {} : { edits }), ...(tricks.length === 0 ? {} : { tricks }) };
    for (const name of Object.keys(kept)) {
      yield { ...bare, ...changes, ...Object.fromEntries(Object.entries(kept).filter(([other]) => other !== name)) };
    }
  });

/** The numbers of a wire mutation say how often, how long or how deep. */
function* smallerMutation(trick: WireMutation): Generator<WireMutation> {
  for (const [name, value] of Object.entries(trick)) {
    if (name === 'trick') continue;
    const less = typeof value === 'number' && Number.isInteger(value) ? fewer(value) : smaller(value, 'repeated');
    for (const item of less) yield { ...trick, [name]: item };
  }
}

function* smallerCall(call: CallStep): Generator<CallStep> {
  const { edits = [], tricks = [], params } = call;
  for (const [at, trick] of tricks.entries()) {
    for (const less of smallerMutation(trick)) yield { ...call, tricks: tricks.with(at, less) };
  }
  for (const [at, edit] of edits.entries()) {
    if (edit.value === undefined) continue;
    for (const less of smaller(edit.value, 'all')) yield { ...call, edits: edits.with(at, { ...edit, value: less }) };
  }
  if (params !== undefined) for (const less of smaller(params, 'all')) yield { ...call, params: less };
}

const isChanged = ({ edits = [], tricks = [] }: CallStep): boolean => edits.length + tricks.length > 0;

/**
 * Smaller values that fit the schema exactly if the values that they replace do. The same holds for the request without
 * its changes: with a second defect, it is unclear which one was refused.
 */
const smallerValues = (fuzzCase: Case, fits: StepJudge): Generator<Case> =>
  eachCall(fuzzCase, function* (call) {
    const before = fits(call);
    const bare = isChanged(call) ? fits(unchangedStep(call)) : undefined;
    for (const less of smallerCall(call)) {
      if (fits(less) === before && (bare === undefined || fits(unchangedStep(less)) === bare)) yield less;
    }
  });
