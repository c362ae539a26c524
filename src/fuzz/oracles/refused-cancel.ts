import { isTerminal } from '../../model/index.js';
import type { Sent, Trace } from '../execute/trace.js';
import { mutationName } from './mutation.js';
import type { OracleContext, Symptom } from './oracle.js';
import { remembered, symptomOf } from './symptom.js';
import { sightsIn } from './task-views.js';

// An open task changes by itself, so a change after a refusal proves little. If a broken cancel was refused and the
// task is canceled, the case is run again without that cancel, to see whether the task ends otherwise.

/** Agents that cancel tasks by themselves are tried at most so often. */
const mostVain = 4;
const vain = remembered(() => ({ times: 0 }));

/** The request has the method of its step: it has no wire mutations, and only its id or params were edited. */
const isPlain = ({ step: { edits = [], tricks = [] } }: Sent): boolean =>
  tricks.length === 0 && edits.every(({ at }) => at === '/id' || at.startsWith('/params'));

interface Suspicion {
  readonly cancel: Sent;
  /** Name of the task in the case. */
  readonly name: string;
}

function suspicionIn(trace: Trace): Suspicion | undefined {
  const cancels = trace.sent.filter(({ step }) => step.operation === 'cancel');
  if (cancels.length === 0 || cancels.some(({ reading }) => reading.outcome.kind !== 'refusal')) return undefined;
  // Something else may have canceled it: another method, or concurrent requests.
  if (trace.case.steps.some(({ step }) => step === 'together') || !trace.sent.every(isPlain)) return undefined;
  for (const [name, { task: id }] of trace.begun) {
    const sights = sightsIn(trace).filter(({ task }) => task.id === id);
    const after = sights.findIndex(({ task }) => task.status.state === 'canceled');
    const [before, found] = [sights[after - 1], sights[after]];
    if (before === undefined || found === undefined || isTerminal(before.task.status.state)) continue;
    const cancel = cancels.findLast(
      ({ sentAt, endedAt }) => sentAt > before.sent.endedAt && endedAt < found.sent.sentAt,
    );
    // An agent that refuses a valid cancel may still be at work on it.
    if (cancel !== undefined && cancel.demand !== 'valid' && cancel.demand !== 'open') return { cancel, name };
  }
  return undefined;
}

/** Whether the task ends otherwise where the cancel is left out. */
async function livesWithout({ cancel, name }: Suspicion, trace: Trace, oracleContext: OracleContext): Promise<boolean> {
  const { dialect, steps } = trace.case;
  const control = await oracleContext.perform({ dialect, steps: steps.filter((_, at) => at !== cancel.place[0]) });
  const id = control.begun.get(name)?.task;
  const last = sightsIn(control).findLast(({ task }) => task.id === id);
  return last !== undefined && last.task.status.state !== 'canceled';
}

async function control(suspicion: Suspicion, trace: Trace, oracleContext: OracleContext): Promise<readonly Symptom[]> {
  if (!(await livesWithout(suspicion, trace, oracleContext))) {
    vain(oracleContext).times++;
    return [];
  }
  const { cancel } = suspicion;
  const by = `refused cancel ${mutationName(cancel.step)}`;
  const title = `a task is canceled by a ${by}`;
  return [
    symptomOf('unchanged', `unchanged/state ${by}`, title, cancel, [], 'without that request the task is not canceled'),
  ];
}

/** A broken cancel that was refused, and canceled the task all the same. undefined: nothing looks like it. */
export function canceledAllTheSame(
  trace: Trace,
  oracleContext: OracleContext,
): Promise<readonly Symptom[]> | undefined {
  const suspicion = vain(oracleContext).times < mostVain ? suspicionIn(trace) : undefined;
  return suspicion && control(suspicion, trace, oracleContext);
}
