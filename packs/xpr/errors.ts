import {
  bodyText,
  check,
  describe,
  type Exchange,
  inconclusive,
  type Judgement,
  mediaType,
  type Outcome,
  repliesOf,
  type Scene,
  source,
  worst,
} from '../../src/kit/index.js';
import { innards } from './innards.js';
import * as xpr from './shared/asking.js';

// XPR document, Error Codes: errors for requests that cannot be read.

const truncated = new TextEncoder().encode('{"jsonrpc":"2.0","id":"tck-cut","params":{');

/** Signed where there is a key: an agent that verifies before it parses would not reach the text otherwise. */
const invalidText = source('JSON that ends too early', async (scene: Scene) => {
  const { first } = xpr.xprOf(scene);
  if (first === undefined) return { isSigned: false, outcome: await xpr.post(scene, { body: truncated, headers: [] }) };
  await xpr.xprOf(scene).as(first).signer?.turn();
  const outcome = await xpr.send(scene, xpr.signed(scene, first, { body: truncated }));
  return { isSigned: true, outcome };
});

/** A refusal that fits its request counts as a result. */
const suiting = (exchange: Exchange): Outcome<unknown> => ({ kind: 'result', value: null, wire: null, exchange });

/**
 * Refusals that fit their requests: not authenticated for an unknown caller; for a known one, no such task and no such
 * method. A server that answers everything alike does not pass.
 */
async function wellFormed(scene: Scene): Promise<Outcome<unknown>> {
  const { client, uuid } = scene;
  const { first } = xpr.xprOf(scene);
  const isSigned = first !== undefined;
  const probe = await (isSigned
    ? scene.use(xpr.control)
    : xpr.post(scene, { body: xpr.probeBody(scene), headers: [] }));
  if (probe.kind === 'denied') return suiting(probe.exchange);
  if (probe.kind !== 'refusal' || probe.error !== 'TaskNotFound') return withheldAs(probe);
  const id = uuid();
  const other = { jsonrpc: '2.0', id, method: 'kit/no-such-method', params: {} };
  const known = isSigned ? {} : ({ credentials: 'none' } as const);
  const outcome = await client.rpc(other, { id, invalid: true, ...known });
  return outcome.kind === 'refusal' && outcome.error === 'MethodNotFound' ? suiting(outcome.exchange) : outcome;
}

/** An agent must not return a task that does not exist. */
const withheldAs = (outcome: Outcome<unknown>): Outcome<unknown> =>
  outcome.kind === 'result' ? { kind: 'not-sent', reason: 'a task is given that does not exist' } : outcome;

export const invalidJson = check('xpr/invalid-json', 'xpr.invalid-json')
  .given('sent', invalidText)
  .when('the client sends JSON that ends too early', async ({ sent }) => sent.outcome)
  .expects('refuse it with -32700', (outcome, { sent }): Judgement => {
    if (outcome.kind === 'refusal' && outcome.error === 'ParseError') return undefined;
    if (outcome.kind === 'denied' && !sent.isSigned) {
      return inconclusive(
        'give --xpr-account and its key: the agent refuses an unsigned request before it reads the body',
      );
    }
    const isUnread =
      outcome.kind === 'invalid-response' && (outcome.fault === 'timeout' || outcome.fault === 'too-large');
    if (isUnread || outcome.kind === 'not-sent' || outcome.kind === 'busy') return inconclusive(describe(outcome));
    return describe(outcome);
  })
  .butAccepts('a well-formed request', wellFormed)
  .advice('Frameworks answer broken JSON themselves, with a page: catch that and answer -32700.');

interface Form {
  readonly about: string;
  readonly outcome: Outcome<unknown>;
}

const tooLarge = 1024 * 1024 + 1;

/** None of these needs a key: the agent refuses them before it authenticates, or as not authenticated. */
async function oddForms(scene: Scene): Promise<readonly Form[]> {
  const body = xpr.probeBody(scene);
  const padded = new TextEncoder().encode(`${' '.repeat(tooLarge)}${bodyText(body)}`);
  const batch = new TextEncoder().encode(`[${bodyText(body)},${bodyText(xpr.probeBody(scene))}]`);
  return [
    { about: 'a body of more than 1 MiB', outcome: await xpr.post(scene, { body: padded, headers: [] }) },
    {
      about: 'a body of text/plain',
      outcome: await xpr.post(scene, { body, headers: [] }, { contentType: 'text/plain' }),
    },
    { about: 'a batch', outcome: await xpr.post(scene, { body: batch, headers: [] }) },
  ];
}

/** Accepts any answer in JSON that does not show internals. */
function inJson({ about, outcome }: Form): Judgement {
  if (outcome.kind === 'not-sent') return inconclusive(`${about}: ${describe(outcome)}`);
  const { exchange } = outcome;
  const { response, failure } = exchange;
  if (failure !== undefined || response === undefined) {
    // A server that refuses a body unread may close before it was fully sent, and then the answer is lost (RFC 9110
    // §15.5.14).
    return inconclusive(`${about}: ${describe(outcome)}`);
  }
  // A server in front of the agent may have a limit.
  if (response.status === 429 || response.status === 503) return inconclusive(`${about}: HTTP ${response.status}`);
  const type = mediaType(response.headers) ?? 'no content type';
  const [reply] = repliesOf(exchange);
  if (reply?.type !== 'json') {
    const shown = `${about}: HTTP ${response.status}, ${type}, no JSON`;
    const isPage = type === 'text/html' || reply?.text.trimStart().startsWith('<') === true;
    // A short text is not a page, and not JSON either.
    return isPage || response.status < 400 || response.status >= 500 ? shown : inconclusive(shown);
  }
  if (outcome.kind === 'refusal' && outcome.error === 'InternalError') return `${about}: ${describe(outcome)}`;
  const inside = innards(exchange);
  return inside === undefined ? undefined : `${about}: the answer shows ${inside}`;
}

export const errorForms = check('xpr/error-forms', 'xpr.error-forms')
  .when('the client sends a large body, another content type, and a batch', async (scene) => {
    const forms = await oddForms(scene);
    const telling = forms.find((form) => typeof inJson(form) === 'string') ?? forms[0];
    const isSent = telling !== undefined && telling.outcome.kind !== 'not-sent';
    return { forms, exhibit: isSent ? telling.outcome.exchange : undefined };
  })
  .expects('answer in JSON, and show no internals', ({ forms }): Judgement => worst(forms.map(inJson)))
  .butAccepts('a well-formed request', wellFormed)
  .advice(
    'What the framework refuses by itself it answers with a page of its own; give it a handler that writes JSON.',
  );
