import {
  bodyText,
  brief,
  check,
  declaresSecurity,
  giveCredentials,
  header,
  inconclusive,
  isObject,
  isString,
  type Judgement,
  mediaType,
  member,
  NotApplicable,
  type Notification,
  type Scene,
  source,
  taskStates,
} from '../../src/kit/index.js';
import { secretsIn, shortest } from '../shared/secrets.js';
import { anywhere, bringsArtifact, jsonOf, tellsAnyState, wordOf } from './calls.js';
import { several } from './sending.js';
import { token } from './stored.js';
import { type Came, came } from './webhooks.js';

// A2A 0.3 §9.5, §6.9 and topics/streaming-and-async; 1.0 §3.5.1, §4.3.3, §13.2.

const headOf = ({ request }: Notification): string => `${request.method} ${brief(bodyText(request.body), 200)}`;

/** Judges each notification; a failure quotes the beginning of the first one that breaks the rule. */
const eachCame =
  (judge: (came: Came) => string | undefined) =>
  (all: readonly Came[]): Judgement => {
    if (all.length === 0) return inconclusive('the agent sent nothing to such a webhook');
    const broken = all.flatMap((came) => {
      const why = judge(came);
      return why === undefined ? [] : [`${why}: ${headOf(came.call)}`];
    });
    return broken.length > 1 ? `${broken[0]} (and ${broken.length - 1} more of ${all.length})` : broken[0];
  };

// In our words (1.0, 4.3.3 Push Notification Payload): Notifications have Content-Type application/a2a+json.
export const asJson = check('push/json', 'push.json')
  .given('all', came)
  .when('the agent notifies a webhook', async ({ all }) => all)
  .expects(
    'send JSON and say so',
    eachCame(({ call }) => {
      const type = mediaType(call.request.headers);
      if (type === undefined || !/^application\/([\w.-]+\+)?json$/.test(type))
        return `its content type is ${type ?? 'missing'}`;
      return jsonOf(call) === undefined ? 'the body is not JSON' : undefined;
    }),
  )
  .advice('Send the body as JSON with Content-Type: application/json, or application/a2a+json in 1.0.');

// In our words (1.0, 4.3.3 Push Notification Payload): Notifications name the task they belong to.
export const namesTask = check('push/names-task', 'push.names-task')
  .given('all', came)
  .when('the agent notifies a webhook', async ({ all }) => all)
  .expects(
    'name the task',
    eachCame(({ call, task }) =>
      anywhere(jsonOf(call), (_, value) => value === task.id) ? undefined : `the id ${task.id} is not in it`,
    ),
  )
  .advice('Build each notification from the task whose config is used: an update needs its taskId, a task its id.');

// In our words (0.3, 9.5 Push Notification Setup and Usage (rule from topics/streaming-and-async)): A notification lets
//   the client understand what happened, such as the new state.
export const namesState = check('push/names-state', 'push.names-state')
  .given('all', came)
  .when('the agent notifies a webhook', async ({ all }) => all)
  .expects(
    'name the state of the task',
    // An artifact event needs no state: the artifact shows what has changed.
    eachCame(({ call }) => (tellsAnyState(call) || bringsArtifact(call) ? undefined : 'the notification has no state')),
  )
  .advice('Send the task, or the status update, with status.state in it.');

const events = ['task', 'message', 'statusUpdate', 'artifactUpdate'];

// In our words (1.0, 4.3.3 Push Notification Payload): Notifications are HTTP POST with a StreamResponse holding
//   exactly one of task, message, statusUpdate, artifactUpdate.
export const streamResponse = check('push/stream-response', 'push.stream-response')
  .given('all', came)
  .when('the agent notifies a webhook', async ({ all }) => all)
  .expects('POST exactly one of task, message, statusUpdate and artifactUpdate', (all, scene) => {
    const words = taskStates.map((state) => wordOf(scene, state));
    return eachCame(({ call }) => {
      if (call.request.method !== 'POST') return 'the request is not a POST';
      const body = jsonOf(call);
      const held = events.filter((name) => isObject(member(body, name)));
      if (held.length !== 1) return `it holds ${held.length === 0 ? 'none of them' : held.join(' and ')}`;
      const state = member(member(member(body, held[0] ?? ''), 'status'), 'state');
      return state === undefined || words.includes(state) ? undefined : `its state is ${brief(state)}`;
    })(all);
  })
  .advice('The payload is the StreamResponse object of the streams: { "statusUpdate": { … } }.');

// In our words (1.0, 3.5.1 Overview of Update Mechanisms): The webhook format is the HTTP+JSON one whatever binding the
//   client used.
export const noEnvelope = check('push/no-envelope', 'push.no-envelope')
  .given('all', came)
  .when('the agent notifies a webhook', async ({ all }) => all)
  .expects(
    'send no JSON-RPC envelope',
    eachCame(({ call }) => (member(jsonOf(call), 'jsonrpc') === undefined ? undefined : 'it is a JSON-RPC object')),
  )
  .advice('POST the StreamResponse itself, {"statusUpdate": {…}}, without jsonrpc, method and params around it.');

const withToken = (all: readonly Came[]): readonly Came[] => all.filter(({ config }) => config.token !== undefined);

// In our words (0.3, 9.5 Push Notification Setup and Usage (rule from topics/streaming-and-async)): A configured token
//   is sent with the notification, normally as X-A2A-Notification-Token.
export const tokenSent = check('push/token-sent', 'push.token-sent')
  .given('all', came)
  .when('a webhook has a token', async ({ all }) => withToken(all))
  .expects(
    'send the token along',
    eachCame(({ call }) => {
      const inHeaders = call.request.headers.some(([, value]) => value.includes(token));
      return inHeaders || bodyText(call.request.body).includes(token) ? undefined : 'the token is not in it';
    }),
  )
  .advice('Send the token of the config in the header X-A2A-Notification-Token: the client knows by it who calls.');

/**
 * RFC 7617 sends a name and a password in base64. A2A does not say whether the credentials of a config are already
 * encoded.
 */
const isEncoded = (scheme: string, given: string, wanted: string): boolean =>
  /^basic$/i.test(scheme) && Buffer.from(given, 'base64').toString() === wanted;

const isBearer = ({ config: { authentication } }: Came): boolean =>
  (authentication?.schemes ?? []).some((scheme) => /^bearer$/i.test(scheme));
const withCredentials = (all: readonly Came[], bearer: boolean): readonly Came[] =>
  all.filter((came) => came.config.authentication?.credentials !== undefined && isBearer(came) === bearer);

const sentAfterScheme = eachCame(({ call, config: { authentication } }) => {
  const sent = header(call.request.headers, 'authorization')?.trim();
  const wanted = authentication?.credentials;
  if (!isString(wanted)) return undefined;
  const [scheme = '', ...rest] = sent?.split(/\s+/) ?? [];
  if (sent === undefined) return 'the Authorization header is missing';
  const named = authentication?.schemes ?? [];
  const isNamed = named.some((name) => name.toLowerCase() === scheme.toLowerCase());
  if (!isNamed) return `the scheme of the Authorization header is none of ${named.join(', ')}`;
  const given = rest.join(' ');
  return given === wanted || isEncoded(scheme, given, wanted) ? undefined : 'the Authorization header is another';
});

// In our words (1.0, 4.3.3 Push Notification Payload): Notifications carry the credentials given in authentication.
export const credentialsSent = check('push/credentials-sent', 'push.credentials-sent')
  .given('all', came)
  .when('a webhook has bearer credentials', async ({ all }) => withCredentials(all, true))
  .expects('send them in the Authorization header, after their scheme', sentAfterScheme)
  .advice(
    'Send "Authorization: Bearer …" with the credentials of the config in each notification: the scheme comes first.',
  );

/** The notifications of a webhook whose scheme is in lower case, beside those whose scheme is not. */
const lowerCase = source('a webhook whose scheme is in lower case', async (scene: Scene) => {
  const sent = await scene.use(several);
  const small = sent.filter(({ config: { authentication } }) => authentication?.schemes?.includes('bearer'));
  return {
    small: small.flatMap(({ calls, ...task }) => calls.map((call) => ({ ...task, call }))),
    others: withCredentials(await scene.use(came), true),
  };
});

// In our words (1.0, 4.3.2 AuthenticationInfo): The name of a scheme is the same in upper and lower case.
export const anyCase = check('push/scheme-any-case', 'push.scheme-any-case')
  .given('all', lowerCase)
  .when('a webhook has credentials of the scheme bearer, in lower case', async ({ all }) => all.small)
  .expects('send them as for Bearer', (small, { all: { others } }): Judgement => {
    const other = sentAfterScheme(others);
    return other === undefined
      ? sentAfterScheme(small)
      : inconclusive('see push/credentials-sent: Bearer fails as well');
  })
  .advice('Compare the names of schemes without regard to case (RFC 9110 §11.1).');

// In our words (1.0, 4.3.3 Push Notification Payload): Notifications carry credentials of another scheme than Bearer in
//   the form of that scheme (Basic auth is named).
export const basicCredentialsSent = check('push/basic-credentials-sent', 'push.basic-credentials-sent')
  .given('all', came)
  .when('a webhook has credentials of the scheme Basic', async ({ all }) => withCredentials(all, false))
  .expects('send them in the Authorization header, after their scheme', sentAfterScheme)
  .advice(
    'Send "Authorization: Basic …" with the credentials of the config, or refuse the scheme when it is set: do not write Bearer before all.',
  );

const ofCaller = source('notifications of the agent', async (scene: Scene) => {
  if (!scene.card.capabilities.push) throw new NotApplicable('the card declares no push notifications');
  if (!declaresSecurity(scene.card)) throw new NotApplicable('the card declares no security');
  return scene.use(came);
});

// In our words (1.0, 13.4 General Security Best Practices): Credentials and tokens are not disclosed in replies.
export const withoutCaller = check('push/no-caller-credentials', 'sec.no-disclosure')
  .given('all', ofCaller)
  .when('the agent notifies a webhook of a caller with credentials', async ({ all }) => all)
  .expects('keep the credentials of the caller out of it', (all, { card }): Judgement => {
    const secrets = new Set(all.flatMap(({ exhibit }) => secretsIn(exhibit, card)));
    if (secrets.size === 0)
      return inconclusive(`${giveCredentials()} of ${shortest} letters or more: the kit sent none to look for`);
    const said = all.map(({ call: { request } }) =>
      [request.url, ...request.headers.map(([, value]) => value), bodyText(request.body)].join('\n'),
    );
    return [...secrets].some((secret) => said.some((text) => text.includes(secret)))
      ? 'a notification shows the credentials with which the kit calls the agent'
      : undefined;
  })
  .advice('Call webhooks by a client of their own: one with default headers passes the token of the caller on.');
