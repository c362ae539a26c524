import type { Task } from '../../model/index.js';
import type { Court, Symptom } from '../oracle.js';
import type { Sent, Trace } from '../trace.js';
import { doesAlone } from './controls.js';
import { type Account, accountOf, taskAsked } from './sights.js';

// Several cancels at once that all say they have canceled the task. An agent may answer every cancel of a canceled task
// with that task (AMB03-25, AMB10-03); one that refuses the second of two has no order that explains two successes.

interface Canceled {
  readonly task: string;
  readonly by: readonly Sent[];
}

/** Cancels of one task that were sent at once. */
function canceledAtOnce(trace: Trace, account: Account): Canceled | undefined {
  const byTask = new Map<string, Sent[]>();
  for (const sent of trace.sent) {
    if (sent.step.operation !== 'cancel' || trace.case.steps[sent.place[0]]?.step !== 'together') continue;
    const id = taskAsked(account.asked(sent));
    const { outcome } = sent.reading;
    if (id === undefined || outcome.kind !== 'result' || (outcome.value as Task).status.state !== 'canceled') continue;
    byTask.set(id, [...(byTask.get(id) ?? []), sent]);
  }
  for (const [task, by] of byTask) if (by.length > 1) return { task, by };
  return undefined;
}

/**
 * Of the cancels of one task one is answered with the canceled task, and the next is refused as not cancelable. undefined:
 * no second one came after a first that succeeded.
 */
function refusesSecond(control: Trace, court: Court): boolean | undefined {
  const account = accountOf(control, court.dialect);
  const canceled = new Set<string>();
  let refuses: boolean | undefined;
  for (const sent of control.sent) {
    if (sent.step.operation !== 'cancel') continue;
    const id = taskAsked(account.asked(sent));
    const { outcome } = sent.reading;
    if (id === undefined) continue;
    if (canceled.has(id)) {
      if (outcome.kind === 'refusal' && outcome.error === 'TaskNotCancelable') return true;
      refuses = false;
    } else if (outcome.kind === 'result' && (outcome.value as Task).status.state === 'canceled') canceled.add(id);
  }
  return refuses;
}

/** Two cancels of one task both succeeded, though the agent takes one only. */
export async function cancelsAtOnce(trace: Trace, court: Court): Promise<Symptom | undefined> {
  const found = canceledAtOnce(trace, accountOf(trace, court.dialect));
  if (found === undefined) return undefined;
  const kept = new Set(found.by.map(({ step }) => step));
  const refuses = await doesAlone(
    trace,
    court,
    'cancels-at-once',
    (call) => kept.has(call),
    (control) => refusesSecond(control, court),
  );
  if (!refuses) return undefined;
  return {
    oracle: 'history',
    bucket: 'history/cancels-at-once',
    title: 'Cancels that are sent at once all succeed, though the agent takes only one',
    detail: `${found.by.length} cancels of the task ${found.task} were answered as canceled; one after the other the second is refused`,
    keys: [],
  };
}
