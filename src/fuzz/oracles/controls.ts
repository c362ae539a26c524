import { type CallStep, type Case, type Step, withCalls } from '../case/case.js';
import type { Trace } from '../execute/trace.js';
import type { OracleContext } from './oracle.js';

// The agent decides much of what concurrent requests do: whether it keeps messages, several configurations, a second
// cancel. The control is the same case with one request after the other: an agent is only held to what it does then.

/** After so many controls without success an agent is not asked again for the same purpose. */
const mostVain = 3;
const vain = new WeakMap<OracleContext['target'], Map<string, number>>();

/** The same case without concurrent requests; of those sent together, only the ones that `keeps` accepts. */
function oneByOne({ steps, dialect }: Case, keeps: (call: CallStep) => boolean): Case {
  return {
    dialect,
    steps: steps.flatMap((step): readonly Step[] => (step.step === 'together' ? step.calls.filter(keeps) : [step])),
  };
}

/** Whether the agent refuses a caller without credentials what it gave to a second caller. */
export async function tellsCallersApart({ case: asked }: Trace, oracleContext: OracleContext): Promise<boolean> {
  const nameless = (call: CallStep): CallStep => (call.caller === 'second' ? { ...call, caller: 'none' } : call);
  const { sent } = await oracleContext.perform(withCalls(asked, nameless));
  const answers = sent.filter(({ step }) => step.caller === 'none');
  return answers.length > 0 && answers.every(({ reading }) => ['denied', 'refusal'].includes(reading.outcome.kind));
}

/**
 * Whether the agent does what `shows` looks for, when requests come one by one. `shows` gives undefined where the
 * control shows nothing, as its task ended by itself. Each purpose is tried in vain at most a few times.
 */
export async function doesAlone(
  { case: raced }: Trace,
  oracleContext: OracleContext,
  purpose: string,
  keeps: (call: CallStep) => boolean,
  shows: (control: Trace) => boolean | undefined,
): Promise<boolean> {
  const counts = vain.get(oracleContext.target) ?? new Map<string, number>();
  vain.set(oracleContext.target, counts);
  const before = counts.get(purpose) ?? 0;
  if (before >= mostVain) return false;
  const control = await oracleContext.perform(oneByOne(raced, keeps));
  const does = shows(control);
  if (does === false) counts.set(purpose, before + 1);
  return does === true;
}
