import {
  check,
  describe,
  early,
  inconclusive,
  PreconditionUnmet,
  sendQuick,
  settle,
  sleep,
  source,
} from '../../src/kit/index.js';
import { notified } from './calls.js';
import { hooks, lateness, sendWith } from './sending.js';
import { demandCalls } from './webhooks.js';

// A2A 0.3 §10.2 and topics/streaming-and-async (webhook URL validation); 1.0 §13.2, §14.1.1: addresses that a client
// must not be able to make a server call. No sentence says when they are rejected: an agent may take them and never call.

const advice =
  'Servers call what clients name: check the address, of redirects too, before each call. A test set-up that must call ' +
  'such addresses can list this as known.';

const uses = source('a message with a webhook on the loopback interface', async (scene) => {
  const webhook = hooks(scene);
  const inside = webhook.aside('called');
  if (inside === undefined)
    throw new PreconditionUnmet('run the agent on this machine: it cannot reach the kit over loopback');
  await demandCalls(scene);
  const outcome = await scene.client.call('send', {
    message: scene.say(),
    configuration: { ...early(scene), push: { id: scene.uuid(), url: inside } },
  });
  if (outcome.kind === 'result' && outcome.value.type === 'task') {
    await settle(scene, outcome.value.task);
    await webhook.next('called', await scene.use(lateness));
  }
  return { inside, outcome, came: webhook.received('called') };
});

// In our words (0.3, 10.2 Security Considerations Summary (rule from topics/streaming-and-async)): Webhook URLs are
//   checked before use (SSRF).
// In our words (1.0, 13.2 Push Notification Security): Webhook URLs pointing to private, loopback or link-local
//   addresses are rejected: not called.
export const loopbackNotCalled = check('push/loopback-called', 'sec.webhook-checked', 'sec.private-webhook')
  .given('used', uses)
  .when('the webhook of a task is at a loopback address', async ({ used }) => used)
  .expects('not call the webhook at that address', ({ inside, outcome, came }) => {
    const calls = notified(came);
    // The guide of 0.3 calls this ownership verification: the kit confirms that the webhook is its own.
    if (calls.length < came.length)
      return inconclusive('the agent asked that address before it called, as the guide of A2A says');
    if (calls.length > 0) return `the agent called ${inside}`;
    if (outcome.kind === 'refusal') return undefined;
    return outcome.kind === 'result' && outcome.value.type === 'task'
      ? undefined
      : inconclusive(`no task came: ${describe(outcome)}`);
  })
  .advice(advice);

const redirecting = source('a webhook that redirects to a loopback address', async (scene) => {
  const webhook = hooks(scene);
  const inside = webhook.aside('redirected');
  if (inside === undefined)
    throw new PreconditionUnmet('run the agent on this machine: it cannot reach the kit over loopback');
  await demandCalls(scene);
  webhook.answer('moved', { status: 307, headers: [['location', inside]] });
  const { calls } = await sendWith(scene, 'moved', { any: true });
  if (calls.length > 0) await webhook.next('redirected', await scene.use(lateness));
  return { inside, calls, followed: webhook.received('redirected') };
});

// In our words (0.3, 10.2 Security Considerations Summary (rule from topics/streaming-and-async)): Webhook URLs are
//   checked before use (SSRF).
// In our words (1.0, 13.2 Push Notification Security): Webhook URLs pointing to private, loopback or link-local
//   addresses are rejected: not called.
export const redirectNotFollowed = check('push/redirected-webhook', 'sec.webhook-checked', 'sec.private-webhook')
  .given('hooked', redirecting)
  .when('the webhook of a task redirects to a loopback address', async ({ hooked }) => hooked)
  .expects('call the webhook, and not follow its redirect', ({ inside, calls, followed }) => {
    if (followed.length > 0) return `the agent followed the redirect to ${inside}`;
    return calls.length > 0 ? undefined : inconclusive('the agent did not call the webhook, so it met no redirect');
  })
  .advice(advice);

const fileAt = source('a file at a loopback address', async (scene) => {
  const webhook = hooks(scene);
  const uri = webhook.aside('file');
  if (uri === undefined)
    throw new PreconditionUnmet('run the agent on this machine: it cannot reach the kit over loopback');
  const message = scene.say();
  const file = { kind: 'file', uri, name: 'note.txt', mediaType: 'text/plain' } as const;
  const outcome = await sendQuick(scene, { ...message, parts: [...message.parts, file] });
  await sleep(scene.clock, 500);
  return { uri, outcome, fetched: webhook.received('file') };
});

// In our words (1.0, 14.1.1 application/a2a+json): File URLs in messages are not a way to reach internal addresses.
export const fileNotFetched = check('push/file-url', 'sec.file-urls')
  .given('file', fileAt)
  .when('a part names a file at a loopback address', async ({ file }) => file)
  .expects('not fetch the URL', ({ uri, outcome, fetched }) => {
    if (fetched.length > 0) return `the agent fetched ${uri}`;
    // A refusal is an answer too, and shows that nothing was fetched.
    return outcome.kind === 'result' || outcome.kind === 'refusal'
      ? undefined
      : inconclusive(`the agent did not answer the message: ${describe(outcome)}`);
  })
  .advice(advice);
