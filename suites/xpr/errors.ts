import {
  bodyText,
  brief,
  check,
  describe,
  type Envelope,
  type Exchange,
  header,
  isObject,
  type JsonObject,
  type Judgement,
  type LawJudgement,
  law,
  mediaType,
  member,
  type Outcome,
  type Reading,
  repliesOf,
  type Scene,
  source,
  stringMember,
  type Target,
  unproven,
  xpr,
  xprText,
} from '../../src/kit/index.js';
import { innards } from './innards.js';

// XPR document, Error Codes: what a caller is told who is not known, or who sends what nobody can read.

/** A call to the agent's own endpoint; detection also knocks at other doors. */
const isJudged = ({ isCall, exchange }: Reading, { endpoint }: Target): boolean =>
  isCall && exchange.purpose !== 'detection' && exchange.request.url === endpoint;

/** The request object as it was sent; undefined for what is none. */
function sentObject({ request }: Exchange): JsonObject | undefined {
  try {
    const sent: unknown = JSON.parse(bodyText(request.body));
    return isObject(sent) ? sent : undefined;
  } catch {
    return undefined;
  }
}

function wrongWith(response: JsonObject, sent: JsonObject | undefined): string | undefined {
  if (response['jsonrpc'] !== '2.0') return `jsonrpc is ${brief(response['jsonrpc'])}`;
  if (Object.hasOwn(response, 'result')) return 'there is a result beside the error';
  const { error } = response;
  if (!isObject(error)) return `error is ${brief(error)}`;
  if (!Number.isInteger(error['code'])) return `error.code is ${brief(error['code'])}`;
  if (typeof error['message'] !== 'string') return `error.message is ${brief(error['message'])}`;
  const id = sent?.['id'];
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  return response['id'] === id ? undefined : `the id is ${brief(response['id'])}, that of the request ${brief(id)}`;
}

/** Gateways answer 401 in JSON of their own: without the version it is no response of JSON-RPC. */
const responseIn = ({ value }: Envelope, status: number): JsonObject | undefined =>
  isObject(value) && (Object.hasOwn(value, 'jsonrpc') || status < 300) ? value : undefined;

export const errorEnvelope = law(
  'xpr/error-envelope',
  'xpr.error-envelope',
  'give authentication errors as JSON-RPC errors under the id of the request',
  {
    otherwise: 'no authentication error came in JSON-RPC',
    advice: 'Callers find the request by its id: read the body before you look at the headers.',
  },
  (reading, target) => {
    const { exchange, outcome, envelopes } = reading;
    if (!isJudged(reading, target) || outcome.kind !== 'denied') return 'silent';
    const response = envelopes[0] && responseIn(envelopes[0], outcome.status);
    if (response === undefined || exchange.request.cut === true) return 'silent';
    return wrongWith(response, sentObject(exchange)) ?? 'holds';
  },
).killedBy(
  'xpr-denied-without-id',
  'xpr-denied-with-other-id',
  'xpr-denied-without-version',
  'xpr-denied-with-result',
  'xpr-denied-without-message',
  'xpr-denied-401-without-id',
);

// -- What nobody can read

const truncated = new TextEncoder().encode('{"jsonrpc":"2.0","id":"tck-cut","method":"tasks/get","params":{"id":');

/** Signed where there is a key: whoever verifies before he parses has no other way to get to the text. */
const invalidText = source('JSON that ends too early', async (scene: Scene) => {
  const { first } = xpr.xprOf(scene);
  if (first === undefined) return { isSigned: false, outcome: await xpr.post(scene, { body: truncated, headers: [] }) };
  await xpr.xprOf(scene).as(first).signer?.turn();
  const outcome = await xpr.send(scene, xpr.signed(scene, first, { body: truncated }));
  return { isSigned: true, outcome };
});

/** A refusal that is right for the request that it answers. */
const suiting = (exchange: Exchange): Outcome<unknown> => ({ kind: 'result', value: null, wire: null, exchange });

/**
 * Refusals that suit the request: who is not known is told so; who is known is told that there is no such task, and that
 * there is no such method. What answers everything alike does not.
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

/** A task that nobody made is none to be given. */
const withheldAs = (outcome: Outcome<unknown>): Outcome<unknown> =>
  outcome.kind === 'result' ? { kind: 'withheld', reason: 'a task is given that does not exist' } : outcome;

export const invalidJson = check('xpr/invalid-json', 'xpr.invalid-json')
  .given('sent', invalidText)
  .when('the client sends JSON that ends too early', async ({ sent }) => sent.outcome)
  .expects('be refused with -32700', (outcome, { sent }): Judgement => {
    if (outcome.kind === 'refusal' && outcome.error === 'ParseError') return undefined;
    if (outcome.kind === 'denied' && !sent.isSigned) {
      return unproven('unsigned, it is refused before it is read; give --xpr-account and its key');
    }
    const isOpen = outcome.kind === 'withheld' || outcome.kind === 'busy';
    if (isOpen || (outcome.kind === 'broken' && outcome.fault === 'timeout')) return unproven(describe(outcome));
    return describe(outcome);
  })
  .butAccepts('a well-formed request', wellFormed)
  .advice('Frameworks answer broken JSON themselves, with a page: catch that and answer -32700.')
  .killedBy('xpr-invalid-json-page', 'xpr-invalid-json-is-invalid-request', 'xpr-invalid-json-is-internal-error');

interface Form {
  readonly about: string;
  readonly outcome: Outcome<unknown>;
}

const tooLarge = 1024 * 1024 + 1;

/** None of these needs a key: it is refused before anybody asks who sent it, or because nobody is known to. */
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

/** Any answer in JSON that shows nothing of the inside. */
function inJson({ about, outcome }: Form): Judgement {
  if (outcome.kind === 'withheld') return unproven(`${about}: ${describe(outcome)}`);
  const { exchange } = outcome;
  const { response, failure } = exchange;
  if (failure !== undefined || response === undefined) {
    // Who refuses a body unread may close before it was all sent, and then the answer is lost (RFC 9110 §15.5.14).
    return unproven(`${about}: ${describe(outcome)}`);
  }
  // A limit of a server in front of the agent.
  if (response.status === 429 || response.status === 503) return unproven(`${about}: HTTP ${response.status}`);
  const type = mediaType(response.headers) ?? 'no content type';
  const [reply] = repliesOf(exchange);
  if (reply?.type !== 'json') {
    const shown = `${about}: HTTP ${response.status}, ${type}, no JSON`;
    const isPage = type === 'text/html' || reply?.text.trimStart().startsWith('<') === true;
    // A few words are no page, and no JSON either.
    return isPage || response.status < 400 || response.status >= 500 ? shown : unproven(shown);
  }
  if (outcome.kind === 'refusal' && outcome.error === 'InternalError') return `${about}: ${describe(outcome)}`;
  const inside = innards(exchange);
  return inside === undefined ? undefined : `${about}: the answer shows ${inside}`;
}

export const errorForms = check('xpr/error-forms', 'xpr.error-forms')
  .when('the client sends a body that is too large, one of another content type, and a batch', async (scene) => {
    const forms = await oddForms(scene);
    const worst = forms.find((form) => typeof inJson(form) === 'string') ?? forms[0];
    const isSent = worst !== undefined && worst.outcome.kind !== 'withheld';
    return { forms, exhibit: isSent ? worst.outcome.exchange : undefined };
  })
  .expects('be answered in JSON, without a trace of the inside', ({ forms }): Judgement => {
    const judged = forms.map(inJson);
    return judged.find((one) => typeof one === 'string') ?? judged.find((one) => one !== undefined);
  })
  .butAccepts('a well-formed request', wellFormed)
  .advice('What the framework refuses by itself it answers with a page of its own; give it a handler that writes JSON.')
  .killedBy('xpr-large-body-page', 'xpr-content-type-page', 'xpr-batch-crashes', 'xpr-batch-shows-stack');

// -- All answers of the run

const weighed = new WeakMap<readonly Reading[], boolean>();

/**
 * It was seen to refuse somebody as not authenticated, or to accept one thing and to refuse another. What answers
 * everything alike keeps to any law on its answers.
 */
function isAgent(tape: readonly Reading[]): boolean {
  const known = weighed.get(tape);
  if (known !== undefined) return known;
  const calls = tape.filter(({ isCall, exchange }) => isCall && exchange.purpose !== 'detection');
  const some = (test: (outcome: Outcome<unknown>) => boolean): boolean => calls.some(({ outcome }) => test(outcome));
  const isDenied = some((outcome) => outcome.kind === 'denied' && outcome.message !== undefined);
  const accepts = calls.some(({ outcome, operation }) => outcome.kind === 'result' && operation !== undefined);
  const refuses = some((outcome) => outcome.kind === 'refusal' && outcome.code !== undefined);
  const made = isDenied || (accepts && refuses);
  weighed.set(tape, made);
  return made;
}

const asAgent = (tape: readonly Reading[]): LawJudgement =>
  isAgent(tape) ? 'holds' : unproven('the agent was not seen to accept anything and to refuse something');

export const noDisclosure = law(
  'xpr/no-disclosure',
  'xpr.no-disclosure',
  'keep the inside of the agent out of its errors: paths, stack traces, its chain, its packages',
  { otherwise: 'no error came back', advice: 'Answer with a sentence of your own, and log what was thrown.' },
  (reading, _, tape) => {
    const { isCall, exchange, outcome } = reading;
    if (!isCall || exchange.toWebhook === true || exchange.response === undefined) return 'silent';
    if (outcome.kind === 'result' || outcome.kind === 'withheld') return 'silent';
    const inside = innards(exchange);
    return inside === undefined ? asAgent(tape) : `it shows ${inside}`;
  },
).killedBy('xpr-errors-with-path', 'xpr-errors-with-stack', 'xpr-errors-with-chain', 'xpr-errors-with-package');

const signingHeaders = Object.values(xprText.headerNames);
/** Servers may refuse more than this before anybody looks at it, in their own way. */
const usualHeaderBytes = 8 * 1024;

/** A plain question under headers of this dialect: whatever goes wrong is about the headers, or the chain. */
function isProbe({ request, call }: Exchange): boolean {
  if (!signingHeaders.some((name) => header(request.headers, name) !== undefined)) return false;
  const sent = sentObject({ request } as Exchange);
  const id = stringMember(member(sent, 'params'), 'id') ?? '';
  const isPlain = sent?.['jsonrpc'] === '2.0' && stringMember(sent, 'id') !== undefined && /^[\w-]{1,64}$/.test(id);
  return isPlain && (call?.operation === undefined || call.operation === 'get');
}

const sizeOf = (headers: readonly (readonly [string, string])[]): number =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);

export const robust = law(
  'xpr/robust',
  'xpr.robust',
  'answer every request that is signed, rightly or wrongly: no hang, no lost connection, no page, no internal error',
  {
    otherwise: 'no signed request was sent',
    advice: 'Whatever the headers hold and whatever the chain says, the answer is an authentication error, in time.',
  },
  (reading, target, tape) => {
    const { exchange, outcome } = reading;
    if (!isJudged(reading, target) || !isProbe(exchange)) return 'silent';
    if (outcome.kind === 'withheld') return 'silent';
    if (outcome.kind === 'refusal') return outcome.error === 'InternalError' ? describe(outcome) : asAgent(tape);
    if (outcome.kind !== 'broken') return asAgent(tape);
    const kind = exchange.failure?.kind;
    if (kind !== undefined && kind !== 'timeout' && kind !== 'reset' && kind !== 'malformed') {
      return unproven(describe(outcome));
    }
    if (exchange.response?.status === 503) return unproven('HTTP 503: it was too busy');
    if (kind === 'reset' && sizeOf(exchange.request.headers) > usualHeaderBytes) return unproven(describe(outcome));
    return describe(outcome);
  },
).killedBy(
  'xpr-wrong-key-crashes',
  'xpr-bad-signature-internal-error',
  'xpr-bad-signature-hangs',
  'xpr-bad-signature-resets',
  'xpr-denied-page',
);
