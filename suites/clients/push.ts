import {
  both,
  brief,
  type ClientJudge,
  canParseUrl,
  clientCheck,
  standing,
  understands,
  whatWasTold,
} from '../../src/kit/index.js';

/** Judges the answers of the webhook to some calls; nothing was registered: inconclusive. */
const answered = (names: readonly string[], wrong: (status: number | undefined) => string | undefined): ClientJudge =>
  standing(({ deliveries }) => {
    const found = deliveries.filter(({ name }) => names.includes(name));
    for (const { status, exchange } of found) {
      const reason = wrong(status);
      if (reason !== undefined) return `${exchange.id}: ${reason}`;
    }
    return found.length === 0 ? 'not-concerned' : 'holds';
  });

const isGood = (status: number | undefined): boolean => status !== undefined && status >= 200 && status < 300;
const said = (status: number | undefined): string => (status === undefined ? 'with nothing' : `with HTTP ${status}`);
const forged = ['wrong-token', 'no-token'];
const acknowledged = answered(['right', 'again'], (status) =>
  isGood(status) ? undefined : `the webhook answered a notification ${said(status)}`,
);

// In our words (1.0, 4.3.3 Push Notification Payload): A valid notification is answered with 2xx.
export const webhookAcknowledges = clientCheck('client-push/webhook-acknowledges', 'client.webhook-acknowledges')
  .in('webhook')
  .expects('answer notifications with 2xx', acknowledged)
  .advice('Answer each notification that is right with 200 or 204, before the work on it begins.');

// In our words (1.0, 13.2 Push Notification Security): A notification with wrong credentials, or none, is refused.
export const webhookAuthentic = clientCheck('client-push/webhook-authentic', 'client.webhook-authentic')
  .in('webhook-forged')
  .expects('refuse notifications without the credentials that it registered', (run) => {
    if (run.facts['webhook-1'] !== undefined && run.facts['secret-1'] === undefined) return 'not-concerned';
    // Where only the kit calls, the webhook must accept the notification: a webhook that refuses all shows nothing.
    if (!run.deliveries.some(({ name }) => forged.includes(name))) return acknowledged(run);
    return answered(forged, (status) =>
      isGood(status) ? `the webhook accepted a notification of another sender ${said(status)}` : undefined,
    )(run);
  })
  .but('webhook')
  .advice('Compare X-A2A-Notification-Token, or the Authorization header, with what was registered; else answer 401.');

// In our words (1.0, 4.3.3 Push Notification Payload): A notification of a task that the client does not expect has no
//   effect.
export const webhookForeignTask = clientCheck('client-push/webhook-foreign-task', 'client.webhook-foreign-task')
  .in('webhook-foreign')
  .expects('ignore a notification about an unknown task', (run) =>
    run.deliveries.length > 0 ? understands(run) : 'not-concerned',
  )
  .but('webhook')
  .advice('Compare the task id of a notification with that of the task for which the webhook was registered.');

// In our words (1.0, 4.3.3 Push Notification Payload): A notification that comes twice has no second effect.
export const webhookDuplicate = clientCheck('client-push/webhook-duplicate', 'client.webhook-duplicate')
  .in('webhook-twice')
  .expects(
    'count a notification that comes twice once',
    both(
      acknowledged,
      whatWasTold((report, run) => {
        if (!run.deliveries.some(({ name }) => name === 'again')) return 'not-concerned';
        const { states = [] } = report;
        const twice = states.find((state, at) => state !== 'unknown' && states.indexOf(state) !== at);
        return twice === undefined ? undefined : `the client reported ${brief(states)}: ${twice} counts twice`;
      }),
      understands,
    ),
  )
  .but('webhook')
  .advice('Notifications may come again: keep which ones were handled, and answer the second with 2xx too.');

// In our words (1.0, 13.2 Push Notification Security): Each configuration has a token of its own.
export const webhookOwnToken = clientCheck('client-push/webhook-own-token', 'client.webhook-own-token')
  .in('webhook-two-tasks', 'webhook-with-credentials')
  .expects('register another token for each task, and not the one for its calls', ({ facts, scenario }) => {
    const [first, second] = [facts['secret-1'], facts[scenario === 'webhook-two-tasks' ? 'secret-2' : 'secret']];
    if (first === undefined || second === undefined) return 'not-concerned';
    if (first !== second) return 'holds';
    return scenario === 'webhook-two-tasks'
      ? 'both tasks have the same token'
      : 'the webhook has the token with which the client calls the agent';
  })
  .advice('Make a random token for each configuration, so that a notification fits one task alone.');

/** Names of this machine, where no other server listens. */
const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' ||
  hostname === '[::1]' ||
  hostname.endsWith('.localhost') ||
  // The parser of URLs writes an address of IPv4 with its four numbers; names may begin like one.
  (hostname.startsWith('127.') && hostname.split('.').every((part) => /^\d+$/.test(part)));

// In our words (1.0, 13.2 Push Notification Security): The URL of a webhook is https.
export const webhookHttps = clientCheck('client-push/webhook-https', 'client.webhook-https')
  .in('webhook')
  .expects('register webhooks under https, or on its own machine', ({ facts: { 'webhook-1': text } }) => {
    if (text === undefined) return 'not-concerned';
    if (!canParseUrl(text)) return `the URL of the webhook is ${brief(text)}`;
    const url = new URL(text);
    return url.protocol === 'https:' || isLoopback(url) ? 'holds' : `the URL of the webhook is ${brief(text)}`;
  })
  .advice('Register an https URL: notifications travel over the network.');
