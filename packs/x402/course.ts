import { check, inconclusive, type Judgement, law, type Recorded, weakMemo } from '../../src/kit/index.js';
import { paidInVain } from './attempts.js';
import * as x402 from './shared/index.js';
import { byTask, type Course, courseOf, type Sighting, shownIn } from './sightings.js';

export { noLeak } from './leaks.js';

// The course of a task's payment. a2a-x402 v0.1 §6.1; x402 A2A transport, Payment Status Lifecycle.

/** For each end of a payment, the ends that cannot follow it unless something was sent in between. */
const turns: Readonly<Record<string, readonly string[]>> = {
  'payment-completed': ['payment-failed'],
  'payment-failed': ['payment-completed'],
  'payment-rejected': ['payment-completed'],
};
const ends: ReadonlySet<string> = new Set(Object.keys(turns));
const needPayment: ReadonlySet<string> = new Set(['payment-completed', 'payment-verified']);

/** Wrong transitions of one task's payment, each with the exchange that shows it. */
function wrongTurns(id: string, seen: readonly Sighting[], { sent }: Course): readonly (readonly [Recorded, string])[] {
  const about = sent.filter((sent) => sent.about.has(id));
  let last: string | undefined;
  let turned = 0;
  return seen.flatMap(({ state, status, at, recorded }): readonly (readonly [Recorded, string])[] => {
    // No document defines the payment status of a canceled task.
    if (status === undefined || state === 'canceled') return [];
    const before = about.filter((sent) => sent.at <= at);
    const paying = before.filter(({ pays }) => pays);
    if (needPayment.has(status) && paying.length === 0)
      return [[recorded, `the task ${id} is ${status}, and no payment was submitted`]];
    // An unpaid offer may end by itself: no document says how.
    if (!ends.has(status) || status === last) return [];
    const turn = last !== undefined && turns[last]?.includes(status) === true ? `${last}, then ${status}` : undefined;
    last = status;
    if (turn === undefined) return [];
    // With several payments at once, each may end differently.
    turned++;
    const allowed = status === 'payment-completed' ? paying.length : before.length;
    return allowed > turned ? [] : [[recorded, `the task ${id} was ${turn}, and nothing was sent in between`]];
  });
}

const wrongIn = weakMemo((tape: readonly Recorded[]): ReadonlyMap<Recorded, string> => {
  const course = courseOf(tape);
  const all = [...byTask(course)].flatMap(([id, seen]) =>
    course.isCut || !course.begun.has(id) ? [] : wrongTurns(id, seen, course),
  );
  return new Map(all);
});

// In our words (x402, a2a-x402 v0.1, 6.1): The payment of a task goes through its states in order.
export const statusOrder = law(
  'x402/status-order',
  'x402.status-order',
  'let the payment of a task go through its states in order',
  {
    subject: 'the agent',
    otherwise: 'no task showed a payment that began',
    notes: [shownIn],
    advice: 'Completed, verified and failed come of a payment that was submitted, and each payment ends once.',
  },
  (reading, _, tape) => {
    const found = wrongIn(tape).get(reading);
    if (found !== undefined) return found;
    return courseOf(tape).standing.has(reading) ? 'holds' : 'not-concerned';
  },
);

const late = 'the task did not complete in time';

// In our words (x402, x402 A2A transport, Payment Status Lifecycle; a2a-x402 v0.1, 4.5): The task of a completed
//   payment is working or completed, and comes to its end.
export const completedState = check('x402/completed-state', 'x402.completed-state')
  .when('the client has paid', (scene) => scene.use(x402.funded))
  .expects('show a working or completed task', (attempt): Judgement => {
    const inVain = paidInVain(attempt);
    if (inVain !== undefined) return inVain;
    const { seen } = attempt;
    const completed = seen.filter((task) => x402.statusOf(task) === 'payment-completed');
    const other = completed.find(({ status: { state } }) => state !== 'working' && state !== 'completed');
    if (other !== undefined) return `the task is ${x402.standingOf(other)}`;
    return completed.length === 0 ? inconclusive('no payment was completed') : undefined;
  })
  .expects('complete it', (attempt, scene): Judgement => {
    const inVain = paidInVain(attempt);
    if (inVain !== undefined) return inVain;
    const { task, decided } = attempt;
    if (task === undefined || x402.statusOf(task) !== 'payment-completed') {
      return inconclusive(`the payment did not end as completed (${task && x402.standingOf(task)})`);
    }
    if (task.status.state === 'completed') return undefined;
    if (decided) return `the task is ${x402.standingOf(task)} in the end`;
    return x402.x402Of(scene).stub === undefined
      ? inconclusive(`raise --x402-timeout: ${late} (${x402.standingOf(task)})`)
      : `${late} (${x402.standingOf(task)})`;
  })
  .advice('Work while the task is working, then complete it; payment-completed says that the money has arrived.');

const interim: Readonly<Record<string, readonly string[]>> = {
  'payment-submitted': ['submitted', 'working', 'input-required'],
  'payment-verified': ['working'],
};

// In our words (x402, x402 A2A transport, Payment Status Lifecycle; a2a-x402 v0.1, 4.5): The task of a submitted
//   payment is submitted, working or input-required, that of a verified one working.
export const interimState = check('x402/interim-state', 'x402.interim-state')
  .when('the client has paid', (scene) => scene.use(x402.funded))
  .expects('show a task state that fits the payment, until its decision', ({ seen }): Judgement => {
    const onTheWay = seen.filter((task) => Object.hasOwn(interim, x402.statusOf(task) ?? ''));
    const other = onTheWay.find((task) => !interim[x402.statusOf(task) ?? '']?.includes(task.status.state));
    if (other !== undefined) return `the task is ${x402.standingOf(other)}`;
    return onTheWay.length === 0
      ? inconclusive('the payment was decided before the kit could read the task')
      : undefined;
  })
  .advice('The task of a submitted payment is submitted, working or input-required, that of a verified one working.');
