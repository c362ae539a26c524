import { isObject, isString, type JsonObject, member, TckError } from '../model/index.js';
import { bodyText, type Carrier, type Clock, createWire, type Tape } from '../wire/index.js';
import { type FacilitatorCall, type FacilitatorControl, type FacilitatorSettlement, isUint256 } from '../x402/index.js';

export interface FacilitatorLabOptions {
  readonly carrier: Carrier;
  readonly clock: Clock;
  /** Ends the run. */
  readonly signal?: AbortSignal;
}

/** The stub answers at once, and forgets old calls. */
const limits = { timeoutMs: 10_000, maxBytes: 64 * 1024 * 1024 };

/** What is said to the stub is no exchange with the agent. */
const noTape: Tape = { nextId: () => 'lab', add: () => undefined, exchanges: [], find: () => undefined };

const encoder = new TextEncoder();

const startHint = 'start it with a2a-tck lab --x402, and give the URL that it prints after "control"';

/**
 * The control of a stub of a facilitator that runs elsewhere. `url`: as `a2a-tck lab --x402` prints it. Throws
 * `TckError('usage')` for what is no such URL.
 *
 * All methods reject with a `TckError`: `unreachable` when nobody answers, `config` when something else answers than the
 * control of a stub, `internal` when the kit asked for what the stub refuses.
 */
export function createFacilitatorLab(
  url: string,
  { carrier, clock, signal }: FacilitatorLabOptions,
): FacilitatorControl {
  const base = baseOf(url);
  const wire = createWire({ carrier, clock, tape: noTape, limits, ...(signal === undefined ? {} : { signal }) });

  async function ask(operation: string, body: JsonObject): Promise<JsonObject> {
    const request = {
      method: 'POST',
      url: `${base}/control/${operation}`,
      headers: [['content-type', 'application/json'] as const],
      body: encoder.encode(JSON.stringify(body)),
    };
    const { response, failure } = await wire.exchange(request, { purpose: 'lab' });
    if (failure !== undefined && failure.kind !== 'too-large') {
      throw new TckError('unreachable', `the facilitator lab at ${base} does not answer: ${failure.detail}`, startHint);
    }
    const answer = failure === undefined ? parsed(bodyText(response?.body)) : undefined;
    const error = member(answer, 'error');
    if (response?.status === 400 && isString(error)) {
      throw new TckError('internal', `the facilitator lab refused ${operation}: ${error}`);
    }
    if (response?.status !== 200 || !isObject(answer)) throw stranger(base, `HTTP ${response?.status}`);
    return answer;
  }

  async function order(operation: string, body: JsonObject): Promise<void> {
    const answer = await ask(operation, body);
    if (member(answer, 'done') !== true) throw stranger(base, `${operation} was not done`);
  }

  async function list<T>(operation: string, isOne: (value: unknown) => value is T): Promise<readonly T[]> {
    const found = member(await ask(operation, {}), operation);
    if (Array.isArray(found) && found.every(isOne)) return found;
    throw stranger(base, `its ${operation} are none`);
  }

  return {
    fund: (address, token, amount) => order('fund', { address, token, amount }),
    async balance(address, token) {
      const balance = member(await ask('balance', { address, token }), 'balance');
      if (isUint256(balance)) return balance;
      throw stranger(base, 'its balance is none');
    },
    setBehaviour: (wanted) => order('set-behaviour', wanted === undefined ? {} : { order: wanted }),
    settlements: () => list('settlements', isSettlement),
    calls: () => list('calls', isCall),
    async now() {
      const now = member(await ask('now', {}), 'now');
      if (typeof now === 'number' && Number.isFinite(now)) return now;
      throw stranger(base, 'its time is none');
    },
    setClockOffset: (ms) => order('set-clock-offset', { ms }),
    reset: () => order('reset', {}),
  };
}

const stranger = (base: string, seen: string): TckError =>
  new TckError('config', `what answers at ${base} is not the control of a facilitator lab: ${seen}`, startHint);

function baseOf(url: string): string {
  const parsedUrl = URL.canParse(url) ? new URL(url) : undefined;
  if (parsedUrl?.protocol === 'http:' || parsedUrl?.protocol === 'https:') return parsedUrl.href.replace(/\/$/, '');
  throw new TckError('usage', `the facilitator lab ${url} is no http(s) URL`, startHint);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isNumbered = (value: unknown): value is JsonObject =>
  isObject(value) && Number.isSafeInteger(member(value, 'number')) && typeof member(value, 'at') === 'number';
const haveTexts = (value: JsonObject, ...names: readonly string[]): boolean =>
  names.every((name) => isString(member(value, name)));

function isCall(value: unknown): value is FacilitatorCall {
  if (!isNumbered(value) || !haveTexts(value, 'method', 'path')) return false;
  const [status, answer] = [member(value, 'status'), member(value, 'answer')];
  return (status === undefined || Number.isSafeInteger(status)) && (answer === undefined || isObject(answer));
}

const isSettlement = (value: unknown): value is FacilitatorSettlement =>
  isNumbered(value) && haveTexts(value, 'network', 'asset', 'from', 'to', 'value', 'nonce', 'transaction');
