import { hasGrpcType, repliesOf } from '../../kit/index.js';
import { isObject, member, type Operation } from '../../model/index.js';
import type { CallStep } from '../case/case.js';
import { isMembers } from '../case/values.js';
import { isOwnFailure } from '../execute/own-failure.js';
import type { Sent, Trace } from '../execute/trace.js';
import { exceptionIn } from './exception-words.js';
import {
  brokenLayer,
  caseUpTo,
  culprit,
  lastOf,
  mutationName,
  mutationsOf,
  unchangedStep,
  worksOn,
} from './mutation.js';
import type { Oracle, OracleContext, Symptom } from './oracle.js';
import { demanded, remembered, saidIn, symptomOf, throughAny } from './symptom.js';

// A2A 0.3 §10.2, 1.0 §13: whatever is sent, the agent keeps running and answers.

/** An agent that refuses a larger body unread may close the connection before all was sent (RFC 9110 §15.5.14). */
const mostBytes = 256 * 1024;
/** Servers limit heads to 8 or 16 KiB, each in its own way. */
const mostHead = 8 * 1024;
const mostHeaders = 90;

/** Wire mutations that HTTP itself may refuse: other methods, other encodings, a body where none is asked for. */
const refusable: ReadonlySet<string> = new Set(['method', 'verb', 'unasked-body', 'compressed']);

/**
 * Whether a server may refuse the request before the agent reads it: the bytes are not HTTP, or too many,
 * or the head is too long.
 */
function mayRefuse({ exchange: { request }, body, step }: Sent): boolean {
  if (request.method === 'RAW' || request.cut === true || body.length > mostBytes) return true;
  // HTTP itself refuses another method; servers accept about a hundred headers.
  if ((step.tricks ?? []).some(({ trick }) => refusable.has(trick))) return true;
  if (request.headers.length > mostHeaders) return true;
  let head = request.url.length;
  for (const [name, value] of request.headers) head += name.length + value.length + 4;
  return head > mostHead;
}

/** Whether the agent may close the connection, or the stream of the request. */
function mayClose(sent: Sent): boolean {
  const layer = brokenLayer(sent.step);
  return (layer !== undefined && layer !== 'message') || mayRefuse(sent);
}

const streams: ReadonlySet<Operation> = new Set(['stream', 'subscribe']);

type Loss = 'reset' | 'malformed' | 'hang' | 'page' | 'foreign' | 'empty' | 'exception';

/** The answer is one of the binding, whatever its status. */
const hasResponse = ({ exchange, reading }: Sent, { dialect: { binding } }: OracleContext): boolean =>
  binding.requests === 'envelopes'
    ? repliesOf(exchange).some(
        (reply) => reply.type === 'json' && [reply.value].flat().some((item) => isObject(item) && 'jsonrpc' in item),
      )
    : reading.replies.some(({ said }) => said?.type === 'error');

/** Wire mutations after which another server on the same port may answer a call of gRPC. */
const elsewhere: ReadonlySet<string> = new Set(['grpc-type', 'grpc-method', 'method', 'query']);

/** A call of gRPC that is answered with a success that is none of gRPC. For valid requests a law judges it. */
function isForeign({ exchange: { response }, demand, step }: Sent, { dialect: { binding } }: OracleContext): boolean {
  if (binding.requests !== 'messages' || response === undefined || demand === 'valid') return false;
  if ((step.tricks ?? []).some(({ trick }) => elsewhere.has(trick))) return false;
  return response.status < 400 && !hasGrpcType(response.headers);
}

/** Wire mutations after which a request may need no answer with a body. */
const silencing: ReadonlySet<string> = new Set(['method', 'batch', 'body', 'duplicate-member', 'header', 'accept']);

/** A success without a body, though the request has an id (JSON-RPC 2.0 §5). */
function isEmpty(sent: Sent): boolean {
  const { step, reading, exchange } = sent;
  if (reading.outcome.kind !== 'invalid-response' || reading.outcome.fault !== 'empty') return false;
  const status = exchange.response?.status ?? 0;
  if (status < 200 || status > 299 || (step.tricks ?? []).some(({ trick }) => silencing.has(trick))) return false;
  return !(step.edits ?? []).some(({ at }) => at === '/id') && isId(member(sent.request, 'id'));
}
const isId = (id: unknown): boolean => typeof id === 'string' || typeof id === 'number';

/** The words of an exception in an internal error, unless the request contained them. */
function exceptionOf(sent: Sent): string | undefined {
  const { outcome } = sent.reading;
  if (outcome.kind !== 'refusal' || outcome.error !== 'InternalError') return undefined;
  const words = exceptionIn(outcome.message.slice(0, 2000));
  return words === undefined || saidIn(sent).includes(words) ? undefined : words;
}

function lossOf(sent: Sent, oracleContext: OracleContext): Loss | undefined {
  const { exchange, demand, step } = sent;
  const { failure, response } = exchange;
  switch (failure?.kind) {
    case 'reset':
      // The loss of an open stream is judged with the streams.
      return response === undefined && !mayClose(sent) ? 'reset' : undefined;
    case 'malformed':
      return mayClose(sent) ? undefined : 'malformed';
    case 'timeout':
      // A stream may stay open; any other answer has an end.
      return response === undefined || !streams.has(step.operation) ? 'hang' : undefined;
    case undefined:
      break;
    default:
      return undefined;
  }
  if (response === undefined) return undefined;
  if (isOwnFailure(response.status) && !hasResponse(sent, oracleContext) && !mayRefuse(sent)) return 'page';
  if (isForeign(sent, oracleContext)) return 'foreign';
  // For valid requests a law judges it.
  if (demand !== 'valid' && oracleContext.dialect.binding.requests === 'envelopes' && isEmpty(sent)) return 'empty';
  // With a single change the oracle `error-class` judges it.
  // Libraries of gRPC say in the words of their language why they cannot read a message.
  if (brokenLayer(step) !== undefined) return undefined;
  if (mutationsOf(step).length !== 1 && exceptionOf(sent) !== undefined) return 'exception';
  return undefined;
}

/** What a loss is called, in the terms of the binding. */
const titleOf = (loss: Loss, { dialect: { binding } }: OracleContext): string =>
  loss === 'page' ? pageTitles[binding.requests] : titles[loss];

const pageTitles = {
  envelopes: 'a server error comes in place of a JSON-RPC response',
  paths: 'a server error comes in place of an answer in JSON',
  messages: 'a server error of HTTP comes in place of an answer of gRPC',
} as const;

const titles: Readonly<Record<Exclude<Loss, 'page'>, string>> = {
  reset: 'the connection is lost without an answer',
  malformed: 'the answer is not HTTP',
  hang: 'no answer comes, while others are answered',
  foreign: 'an answer that is none of gRPC comes, with a status of success',
  empty: 'an answer without a body comes, though the request has an id',
  exception: 'an internal error with the words of an unhandled exception',
};

/** Fields that ask the agent to wait for the end of its work. */
const asksToWait = /blocking|returnImmediately/i;

/** Sends the same request again, together with the same others if it was sent with others. */
async function again(trace: Trace, sent: Sent, oracleContext: OracleContext): Promise<Sent | undefined> {
  const [at, among] = sent.place;
  if (among === undefined) return lastOf(await oracleContext.perform(caseUpTo(trace, sent, sent.step)));
  const { dialect, steps } = trace.case;
  const other = await oracleContext.perform({ dialect, steps: steps.slice(0, at + 1) });
  return other.sent.find(({ place }) => place[0] === at && place[1] === among);
}

/** Silences that were checked a second time; each check takes several times the time limit. */
interface Weighed {
  /** By change: how often a check confirmed the silence, and how often it did not. */
  readonly hangs: Map<string, { readonly seen: number; readonly vain: number }>;
  /** Unchanged requests that were silent too: the agent works for longer than the kit waits. */
  slow: number;
}
const weighed = remembered((): Weighed => ({ hangs: new Map(), slow: 0 }));
const mostWeighed = 48;
const mostSlow = 3;
const mostVain = 2;
/** An agent that is slow at random may be silent once and answer the comparison: one confirmation may be chance. */
const leastSeen = 2;

/** The request without its changes and without its configuration, which may ask not to wait for the end of the work. */
function patientStep(step: CallStep): CallStep {
  const { params, ...bare } = unchangedStep(step);
  if (!isMembers(params)) return bare;
  const { configuration: _, ...rest } = params;
  return { ...bare, params: rest };
}

/** The request without the changed members: an agent may treat a member that it cannot read as absent (AMB10-33). */
function barerStep(step: CallStep): CallStep {
  const edits = (step.edits ?? []).map(({ at, keyword }) => ({ at, op: 'remove' as const, keyword }));
  return { ...unchangedStep(step), ...(edits.length === 0 ? {} : { edits }) };
}

/** The request without its changes, and with another id of its message: an agent may choose its work by any text of it. */
function renamedStep(step: CallStep): CallStep {
  const { params, ...bare } = unchangedStep(step);
  if (!isMembers(params)) return bare;
  const { message } = params;
  return {
    ...bare,
    params: { ...params, ...(isMembers(message) ? { message: { ...message, messageId: 'tck' } } : {}) },
  };
}

/**
 * How the request fails in another form, after the same requests before it; undefined: it does not; `unsent`: it was
 * not sent.
 */
async function lossAs(
  step: CallStep,
  trace: Trace,
  sent: Sent,
  oracleContext: OracleContext,
): Promise<string | undefined> {
  // A control that is slow is not silent.
  const control = lastOf(await oracleContext.perform(caseUpTo(trace, sent, step), { briefly: false }));
  return control === undefined ? 'unsent' : control.exchange.failure?.kind;
}

/** Of requests that were sent at once, others were answered late too: the agent takes one after the other. */
function isQueued({ sent: all }: Trace, { place: [at, among], exchange }: Sent): boolean {
  const beside = all.filter(({ place }) => among !== undefined && place[0] === at && place[1] !== among);
  return beside.some(({ exchange: other }) => !isFailed(other) && other.durationMs > exchange.durationMs / 4);
}
const isFailed = ({ failure }: Sent['exchange']): boolean => failure !== undefined;

/**
 * A slow agent is not wrong. A hang needs the same request to be silent twice, while the canary is answered. Where the
 * agent may be at work, the same request without the changes must also be answered, even when it does not ask for an
 * answer at once: the agent may have overlooked that wish in a broken request, and wait for the end of its work.
 */
async function hangs(trace: Trace, sent: Sent, oracleContext: OracleContext): Promise<boolean> {
  const { step, demand } = sent;
  if (isQueued(trace, sent)) return false;
  const memory = weighed(oracleContext);
  const readsFirst = demand === 'parse-error' || demand === 'invalid-request' || demand === 'unknown-method';
  const mayWork = worksOn.has(step.operation) && !readsFirst;
  if (mayWork) {
    const isPlain = (step.edits ?? []).length + (step.tricks ?? []).length === 0;
    if (isPlain || memory.slow >= mostSlow || (step.edits ?? []).some(({ at }) => asksToWait.test(at))) return false;
    const plain = await lossAs(unchangedStep(step), trace, sent, oracleContext);
    if (plain === 'timeout') memory.slow++;
    if (plain !== undefined) return false;
    // The agent may wait for the end of its work: the message must be answered in these forms, too.
    if (step.operation === 'send') {
      if ((await lossAs(patientStep(step), trace, sent, oracleContext)) !== undefined) return false;
      if ((await lossAs(barerStep(step), trace, sent, oracleContext)) !== undefined) return false;
      // A changed message that may be right may be taken, and be other work than the unchanged one.
      const mayMeanOther = demand === 'open' && (step.edits ?? []).some(({ at }) => at.startsWith('/params/message'));
      if (mayMeanOther && (await lossAs(renamedStep(step), trace, sent, oracleContext)) !== undefined) return false;
    }
  }
  const second = await again(trace, sent, oracleContext);
  return second !== undefined && lossOf(second, oracleContext) === 'hang' && (await oracleContext.isAlive());
}

async function isHang(trace: Trace, sent: Sent, oracleContext: OracleContext): Promise<boolean> {
  const { hangs: known } = weighed(oracleContext);
  const name = `${sent.step.operation} ${mutationsOf(sent.step).join(' ')}`;
  const { seen, vain } = known.get(name) ?? { seen: 0, vain: 0 };
  if (seen >= leastSeen) return true;
  if (vain >= mostVain || (known.size >= mostWeighed && !known.has(name))) return false;
  const judged = await hangs(trace, sent, oracleContext);
  known.set(name, judged ? { seen: seen + 1, vain } : { seen, vain: vain + 1 });
  return judged;
}

const isSame =
  (loss: Loss, oracleContext: OracleContext) =>
  (other: Sent): boolean =>
    lossOf(other, oracleContext) === loss;

async function lost(trace: Trace, sent: Sent, loss: Loss, oracleContext: OracleContext): Promise<Symptom | undefined> {
  const { operation } = sent.step;
  if (loss === 'hang' && !(await isHang(trace, sent, oracleContext))) return undefined;
  const shows = loss === 'exception' ? (other: Sent) => exceptionOf(other) !== undefined : isSame(loss, oracleContext);
  // A hang was already compared with the request without its changes.
  const isSingle = loss === 'hang' && mutationsOf(sent.step).length === 1;
  const mutation = isSingle ? mutationName(sent.step) : await culprit(trace, sent, oracleContext, loss, shows);
  // The oracle `error-class` reports an exception that a single change causes.
  if (loss === 'exception' && mutationsOf(sent.step).includes(mutation)) return undefined;
  const bucketOf = (name: string): string => `alive/${loss} ${operation} ${name}`;
  const [bucket, plain] = [bucketOf(mutation), bucketOf('valid')];
  const broken = sent.demand !== 'valid' && sent.demand !== 'open';
  // 0.3 §10.2 demands validation of input; whether a valid request is answered is a question of the envelope.
  const keys = demanded(
    oracleContext,
    loss === 'exception' ? undefined : broken ? 'sec.bad-input' : loss === 'page' ? 'rpc.response-object' : undefined,
  );
  const symptom = symptomOf('alive', bucket, `${operation} (${mutation}): ${titleOf(loss, oracleContext)}`, sent, keys);
  return bucket === plain ? symptom : { ...throughAny(symptom), plain };
}

/** The agent took no connection: it received nothing of the request. */
const isRefused = ({ exchange }: Sent): boolean => exchange.failure?.kind === 'refused';

/**
 * The sentences that an agent broke by ending. If it ended after plain requests, it is unknown whether the input was
 * the cause.
 */
export function deathKeys({ sent }: Trace, oracleContext: Parameters<typeof demanded>[0]): Symptom['keys'] {
  const isBad = sent.some((request) => mutationsOf(request.step).length > 0 && !isRefused(request));
  return demanded(oracleContext, isBad ? 'sec.bad-input' : undefined);
}

/**
 * The agent answers nothing any more, or answered nothing for a while (it may have been restarted). The first request
 * without an answer is to blame if it was changed. A plain request, or one that the agent never received, only shows
 * it: an earlier request is the cause. If an earlier request was changed too, the cause is unknown, because an agent
 * may end a while after its answer.
 */
function dead(trace: Trace, first: Sent, isBack: boolean, oracleContext: OracleContext): Symptom {
  const isFirst =
    !isRefused(first) &&
    trace.sent.every((request) => request.sentAt >= first.sentAt || mutationsOf(request.step).length === 0);
  const name = isFirst ? mutationName(first.step) : 'valid';
  const { operation } = first.step;
  const bucket = name === 'valid' ? 'alive/dead' : `alive/dead ${operation} ${name}`;
  const gone = isBack ? 'the agent takes no connections for a while' : 'the agent no longer answers';
  const title = name === 'valid' ? gone : `${operation} (${name}): the agent is gone`;
  return throughAny(symptomOf('alive', bucket, title, first, deathKeys(trace, oracleContext)));
}

const lostFor: ReadonlySet<string> = new Set(['refused', 'reset', 'timeout']);

/** The agent is there and answers, whatever was sent. */
export const alive: Oracle = (trace, oracleContext) => {
  let first: Sent | undefined;
  const losses: Lost[] = [];
  for (const sent of trace.sent) {
    if (lostFor.has(sent.exchange.failure?.kind ?? '')) first ??= sent;
    const loss = lossOf(sent, oracleContext);
    if (loss !== undefined) losses.push({ sent, loss });
  }
  return first === undefined && losses.length === 0 ? [] : judgeAll(trace, oracleContext, first, losses);
};

interface Lost {
  readonly sent: Sent;
  readonly loss: Loss;
}

async function judgeAll(
  trace: Trace,
  oracleContext: OracleContext,
  first: Sent | undefined,
  losses: readonly Lost[],
): Promise<readonly Symptom[]> {
  if (first !== undefined) {
    const isAlive = await oracleContext.isAlive();
    if (!isAlive || isRefused(first)) return [dead(trace, first, isAlive, oracleContext)];
  }
  const found = new Map<string, Symptom>();
  // Requests after a lost connection may be lost with it.
  for (const { sent, loss } of losses.slice(0, 4)) {
    const symptom = await lost(trace, sent, loss, oracleContext);
    if (symptom !== undefined) found.set(symptom.bucket, symptom);
    if (loss === 'reset' || loss === 'hang') break;
  }
  return [...found.values()];
}
