import { check, excerpt, inconclusive, type Judgement, NotApplicable, PreconditionUnmet } from '../../src/kit/index.js';
import { refusedAnyway } from './attempts.js';
import { closings, stillClosed } from './closed.js';
import * as x402Text from './payments/index.js';
import { twoOffers } from './prices.js';
import * as x402 from './shared/index.js';

// A payment is valid only for the task that it is sent to. a2a-x402 v0.1 §4.1, §4.5; x402 A2A transport.

// In our words (x402, a2a-x402 v0.1, 4.1): A payment counts for the offer of the task that it is sent to.
export const boundToTask = check('x402/bound-to-task', 'x402.bound-to-task')
  .given('control', x402.control)
  .given('offers', twoOffers)
  .when('the payment of a cheaper task comes to a dearer one', async (scene) => {
    const { cheap, dear } = scene.offers;
    return x402.submit(scene, dear, await x402.rightPayment(scene, cheap));
  })
  .expects('refuse the payment', (attempt, { control }) => refusedAnyway(attempt, control))
  .advice('Keep each offer with its task, and hold a payment against the offer of the task that it names.');

// In our words (x402, a2a-x402 v0.1, 4.5; x402 A2A transport, Payment Payload Transmission): A payment without `taskId`
//   pays nothing.
export const withoutTask = check('x402/without-task', 'x402.without-task')
  .given('control', x402.control)
  .when('a payment names no task', async (scene) => {
    const tried: x402.Tried[] = [];
    for (const [about, hasContext] of [
      ['with the contextId of the task', true],
      ['without contextId', false],
    ] as const) {
      const given = await scene.use(x402.offered);
      const attempt = await x402.submit(scene, given, await x402.rightPayment(scene, given), {
        text: given.asked,
        change({ message, ...params }) {
          const { taskId: _, contextId, ...rest } = message;
          return { ...params, message: { ...rest, ...(hasContext && contextId !== undefined ? { contextId } : {}) } };
        },
      });
      tried.push({ about, attempt });
    }
    return tried;
  })
  .expects('accept no payment', (tried, { control }) => x402.each(tried, (attempt) => refusedAnyway(attempt, control)))
  .advice('Do not accept a payment without taskId: refuse the message, or make a new unpaid task of it.');

// In our words (x402, a2a-x402 v0.1, 4.5; x402 A2A transport, Payment Payload Transmission): A payment to a task that
//   does not exist pays nothing.
export const unknownTask = check('x402/unknown-task', 'x402.unknown-task')
  .given('control', x402.control)
  .given('offered', x402.offered)
  .when('a payment names an unknown task', async (scene) => {
    const { offered } = scene;
    const taskId = scene.uuid();
    return x402.submit(scene, offered, await x402.rightPayment(scene, offered), {
      text: offered.asked,
      change: ({ message, ...params }) => ({ ...params, message: { ...message, taskId } }),
    });
  })
  .expects('accept no payment', (attempt, { control }) => refusedAnyway(attempt, control))
  .advice('Find the offer by the taskId of the message, and refuse an unknown task: never use another one that waits.');

const second = { credentials: 'second' } as const;

// In our words (x402, a2a-x402 v0.1, 4.5): A caller neither pays for nor gets the task of another caller.
export const foreignTask = check('x402/foreign-task', 'x402.foreign-task')
  .given('control', x402.control)
  .given('offered', x402.offered)
  .when('another caller pays a task', async (scene) => {
    const { client, offered } = scene;
    if (!client.hasSecond) throw new NotApplicable('give --second-bearer-env: the check needs a second caller');
    // First, the agent must accept the second caller at all.
    await x402.offeredFor(scene, { call: second });
    const payment = await x402.rightPayment(scene, offered);
    const attempt = await x402.submit(scene, offered, payment, { call: second });
    const own = await client.call('get', { id: offered.task.id });
    return own.kind === 'result' ? { ...attempt, seen: [...attempt.seen, own.value] } : attempt;
  })
  .expects('refuse the payment', (attempt, { control }): Judgement => {
    const isShutOut = attempt.outcome.kind === 'denied' && x402.acceptance(attempt, control.contents) === undefined;
    if (!isShutOut) return refusedAnyway(attempt, control);
    return control.kind === 'none' ? inconclusive(control.reason) : undefined;
  })
  .advice('What belongs to another caller is not there. If both callers share their tasks, the agent is right.');

// In our words (x402, x402 core v2, 5.2.2): A payload that names another resource than the offer is refused, or the
//   resource is ignored.
export const resourceOther = check('x402/resource-other', 'x402.resource-other')
  .given('control', x402.control)
  .given('offers', twoOffers)
  .when('the payment of a cheaper task names the resource of a dearer one', async (scene) => {
    const { cheap, dear } = scene.offers;
    x402.ofVersion(2, cheap);
    const { resource } = dear.offer;
    if (resource === undefined || resource['url'] === cheap.offer.resource?.['url'])
      throw new NotApplicable('both offers name the same resource');
    const payment = await x402.rightPayment(scene, cheap);
    const attempt = await x402.submit(scene, cheap, { ...payment, resource: { ...resource } });
    const { stub } = x402.x402Of(scene);
    const isTaken = x402.acceptance(attempt, []) !== undefined;
    // Only then is the content of the dearer work needed; it is bought with play money only.
    const sold = isTaken && stub !== undefined ? x402.contentsOf(await x402.payFunded(scene, dear)) : [];
    return { attempt, sold };
  })
  .expects('refuse the payment, or do only the cheaper work', ({ attempt, sold }, { control }) => {
    if (x402.acceptance(attempt, []) === undefined) return refusedAnyway(attempt, control);
    const { task, word } = attempt;
    if (task === undefined) return inconclusive('the agent did not show the task again');
    if (x402.leakIn(task, word, control.contents) !== undefined) return undefined;
    const other = x402.leakIn(task, word, sold);
    return other === undefined
      ? inconclusive('the agent accepted the payment, and the result matches neither task')
      : `it bought the dearer one: ${JSON.stringify(excerpt(other, 80))}`;
  })
  .advice('The resource of a payload is what the client says. What is sold stands in the offer of the task.');

// In our words (x402, A2A, context and task ids): A payment whose contextId is not that of its task is refused.
export const contextMismatch = check('x402/context-mismatch', 'x402.context-mismatch')
  .given('control', x402.control)
  .given('offered', x402.offered)
  .when('a payment names another context than that of its task', async (scene) => {
    const { offered } = scene;
    const contextId = scene.uuid();
    return x402.submit(scene, offered, await x402.rightPayment(scene, offered), {
      change: ({ message, ...params }) => ({ ...params, message: { ...message, contextId } }),
    });
  })
  .expects('refuse the payment', (attempt, { control }) => refusedAnyway(attempt, control))
  .advice('Compare the contextId of the message with that of the task before the payment is looked at.');

// In our words (x402, x402 A2A transport, Payment Status Lifecycle; A2A, task life cycle): A payment to a task that has
//   ended is refused, and nothing is settled.
export const payClosedTask = check('x402/pay-closed-task', 'x402.pay-closed-task')
  .given('control', x402.control)
  .when('the client pays an ended task', async (scene) => {
    const tried = [];
    const open: string[] = [];
    for (const closing of closings) {
      const closed = await scene.use(closing);
      if (closed.attempt === undefined) open.push(`${closed.about}: ${closed.open}`);
      else tried.push({ about: closed.about, attempt: closed.attempt, settled: closed.settled });
    }
    if (tried.length === 0) throw new PreconditionUnmet(`no task ended without a payment (${open.join('; ')})`);
    return tried;
  })
  .expects('change nothing', (tried, { control }) => {
    const charged = tried.find(({ settled }) => settled);
    if (charged !== undefined) return `${charged.about}: the payment was settled`;
    return x402.each(tried, (attempt) => stillClosed(attempt, control));
  })
  .advice(
    'Look at the state of the task before you call the facilitator: a task that has ended takes no message, and no payment.',
  );

// In our words (x402, payment-identifier, Idempotency Behavior): Where the offer requires an id of payment-identifier,
//   a payment without it is refused.
export const identifierRequired = check('x402/identifier-required', 'x402.identifier-required')
  .given('control', x402.control)
  .given('offered', x402.offered)
  .when('a payment has no id, and the offer requires one', async (scene) => {
    const { offered } = scene;
    x402.ofVersion(2, offered);
    if (!x402Text.needsId(offered.offer.extensions))
      throw new NotApplicable('the offer requires no id of payment-identifier');
    const payment = await x402.rightPayment(scene, offered);
    return x402.submit(scene, offered, x402Text.rewritings.withoutId(payment));
  })
  .expects('refuse the payment', (attempt, { control }) => refusedAnyway(attempt, control))
  .advice('Refuse a payment without an id where info.required is true, or offer the extension without required.');
