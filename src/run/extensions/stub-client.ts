import { canParseUrl, isObject, isString, type JsonObject, member, TckError } from '../../model/index.js';
import { bodyText, type Carrier, type Clock, createWire, type Tape } from '../../wire/index.js';

// Shared by the controls of all labs: `POST /control/<operation>` with a JSON object, answered with one.

export interface StubOptions {
  readonly carrier: Carrier;
  readonly clock: Clock;
  /** Ends the run. */
  readonly signal?: AbortSignal;
}

/** Which stub it is. */
export interface StubNature {
  /** Its name in messages: "chain stub". */
  readonly name: string;
  /** Advice when the stub does not answer. */
  readonly hint: string;
  /** Longest answer in bytes: the stub forgets old calls, so a longer answer does not come from it. */
  readonly maxBytes: number;
}

export interface StubClient {
  ask(operation: string, body: JsonObject): Promise<JsonObject>;
  /** Calls an operation whose answer only says that it was done. */
  order(operation: string, body: JsonObject): Promise<void>;
  /** The error for an answer that cannot come from this stub. */
  stranger(seen: string): TckError;
}

/** Calls to the stub are not exchanges with the agent. */
const noTape: Tape = { nextId: () => 'stub', add: () => undefined, exchanges: [], find: () => undefined };

const encoder = new TextEncoder();

/**
 * `url`: as `a2a-tck stub` prints it. Throws `TckError('usage')` for an invalid URL. All methods reject with a
 * `TckError`: `unreachable` when no answer comes, `config` when the answer is not from the control of this stub,
 * `internal` when the stub refuses the request.
 */
export function createStubClient(
  url: string,
  { name, hint, maxBytes }: StubNature,
  { carrier, clock, signal }: StubOptions,
): StubClient {
  const base = baseOf(url, name, hint);
  const limits = { timeoutMs: 10_000, maxBytes };
  const wire = createWire({ carrier, clock, tape: noTape, limits, ...(signal === undefined ? {} : { signal }) });
  const stranger = (seen: string): TckError =>
    new TckError('config', `what answers at ${base} is not the control of a ${name}: ${seen}`, hint);

  async function ask(operation: string, body: JsonObject): Promise<JsonObject> {
    const request = {
      method: 'POST',
      url: `${base}/control/${operation}`,
      headers: [['content-type', 'application/json'] as const],
      body: encoder.encode(JSON.stringify(body)),
    };
    const { response, failure } = await wire.exchange(request, { purpose: 'stub' });
    if (failure !== undefined && failure.kind !== 'too-large') {
      throw new TckError('unreachable', `the ${name} at ${base} does not answer: ${failure.detail}`, hint);
    }
    const answer = failure === undefined ? parsed(bodyText(response?.body)) : undefined;
    const error = member(answer, 'error');
    if (response?.status === 400 && isString(error)) {
      throw new TckError('internal', `the ${name} refused ${operation}: ${error}`);
    }
    if (response?.status !== 200 || !isObject(answer)) throw stranger(`HTTP ${response?.status}`);
    return answer;
  }

  return {
    ask,
    async order(operation, body) {
      if (member(await ask(operation, body), 'done') !== true) throw stranger(`${operation} was not done`);
    },
    stranger,
  };
}

function baseOf(url: string, name: string, hint: string): string {
  const parsedUrl = canParseUrl(url) ? new URL(url) : undefined;
  if (parsedUrl?.protocol === 'http:' || parsedUrl?.protocol === 'https:') return parsedUrl.href.replace(/\/$/, '');
  throw new TckError('usage', `the ${name} ${url} is not an http(s) URL`, hint);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
