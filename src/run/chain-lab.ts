import { isObject, isString, type JsonObject, member, TckError } from '../model/index.js';
import { bodyText, type Carrier, type Clock, createWire, type Tape } from '../wire/index.js';
import type { ChainCall, ChainControl } from '../xpr/index.js';

export interface ChainLabOptions {
  readonly carrier: Carrier;
  readonly clock: Clock;
  /** Ends the run. */
  readonly signal?: AbortSignal;
}

/** The stub answers at once, and forgets old calls. */
const limits = { timeoutMs: 10_000, maxBytes: 4 * 1024 * 1024 };

/** What is said to the stub is no exchange with the agent. */
const noTape: Tape = { nextId: () => 'lab', add: () => undefined, exchanges: [], find: () => undefined };

const encoder = new TextEncoder();

const startHint = 'start it with a2a-tck lab --profile xpr, and give the URL that it prints after "control"';

/**
 * The control of a stub of the chain that runs elsewhere. `url`: as `a2a-tck lab` prints it. Throws
 * `TckError('usage')` for what is no such URL.
 *
 * All methods reject with a `TckError`: `unreachable` when nobody answers, `config` when something else answers than the
 * control of a stub, `internal` when the kit asked for what the stub refuses.
 */
export function createChainLab(url: string, { carrier, clock, signal }: ChainLabOptions): ChainControl {
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
      throw new TckError('unreachable', `the chain lab at ${base} does not answer: ${failure.detail}`, startHint);
    }
    const answer = failure === undefined ? parsed(bodyText(response?.body)) : undefined;
    const error = member(answer, 'error');
    if (response?.status === 400 && isString(error)) {
      throw new TckError('internal', `the chain lab refused ${operation}: ${error}`);
    }
    if (response?.status !== 200 || !isObject(answer)) throw stranger(base, `HTTP ${response?.status}`);
    return answer;
  }

  async function order(operation: string, body: JsonObject): Promise<void> {
    const answer = await ask(operation, body);
    if (member(answer, 'done') !== true) throw stranger(base, `${operation} was not done`);
  }

  return {
    async chainId() {
      const chainId = member(await ask('chain-id', {}), 'chainId');
      if (isString(chainId) && /^[0-9a-f]{64}$/.test(chainId)) return chainId;
      throw stranger(base, 'its chain id is none');
    },
    setAccount: (account) => order('set-account', { ...account }),
    removeAccount: (name) => order('remove-account', { account: name }),
    setAgent: (row) => order('set-agent', { ...row }),
    removeAgent: (account) => order('remove-agent', { account }),
    setKyc: (row) => order('set-kyc', { ...row }),
    removeKyc: (account) => order('remove-kyc', { account }),
    setFailure: (account, mode) => order('set-failure', { account, ...(mode === undefined ? {} : { mode }) }),
    async calls() {
      const calls = member(await ask('calls', {}), 'calls');
      if (Array.isArray(calls) && calls.every(isCall)) return calls;
      throw stranger(base, 'its calls are none');
    },
    reset: () => order('reset', {}),
  };
}

const stranger = (base: string, seen: string): TckError =>
  new TckError('config', `what answers at ${base} is not the control of a chain lab: ${seen}`, startHint);

function baseOf(url: string): string {
  const parsedUrl = URL.canParse(url) ? new URL(url) : undefined;
  if (parsedUrl?.protocol === 'http:' || parsedUrl?.protocol === 'https:') return parsedUrl.href.replace(/\/$/, '');
  throw new TckError('usage', `the chain lab ${url} is no http(s) URL`, startHint);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isCall(value: unknown): value is ChainCall {
  const account = member(value, 'account');
  return (
    Number.isSafeInteger(member(value, 'number')) &&
    typeof member(value, 'at') === 'number' &&
    isString(member(value, 'path')) &&
    (account === undefined || isString(account))
  );
}
