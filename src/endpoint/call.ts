import { readOrigin } from '../model/index.js';
import { type Called, type CallRequest, call, random, uuids } from '../run/index.js';
import { createRedactor, createTape, createWire, describeNetwork, realClock } from '../wire/index.js';
import { authorizeRun } from './authorize-run.js';
import { cleanError } from './clean-error.js';
import { hiddenIn, type TargetOptions } from './run-here.js';

/** One call of one operation: what is called, by whom, and how long the answer is waited for. */
export interface CallTarget
  extends Omit<CallRequest, 'profile' | 'binding'>,
    Partial<Pick<CallRequest, 'profile' | 'binding'>>,
    Pick<
      TargetOptions,
      'headers' | 'query' | 'timeoutMs' | 'secrets' | 'allowedOrigins' | 'signal' | 'network' | 'oauth' | 'onDevice'
    > {}

/** Longest answer that is read, bytes. */
const maxBytes = 4 * 1024 * 1024;
const usualTimeoutMs = 10_000;

/**
 * Calls one operation of an agent over any binding, in this thread, and returns the answer, secrets removed. Throws
 * `TckError` without an answer: wrong options (`usage`), no server there (`unreachable`), no agent (`not-an-agent`).
 * What the agent answers is never thrown.
 */
export async function callHere(target: CallTarget): Promise<Called> {
  const { createHttpCarrier } = await import('../wire/http.js');
  const { headers = [], query = [], timeoutMs = usualTimeoutMs, signal, network = {} } = target;
  const allowedOrigins = (target.allowedOrigins ?? []).map(readOrigin);
  let authorized: Awaited<ReturnType<typeof authorizeRun>>;
  const redactor = createRedactor(hiddenIn(target), () => authorized?.secrets() ?? []);
  const own = createHttpCarrier({ network });
  const stop = signal === undefined ? {} : { signal };
  const limits = { timeoutMs, maxBytes };
  const uuid = uuids(random(Math.floor(Math.random() * 2 ** 32)));
  try {
    authorized = await authorizeRun({ ...target, allowedOrigins }, network, own);
    const carrier = authorized?.carrier(own) ?? own;
    const credentials = authorized === undefined ? headers : [...headers, authorized.header];
    const wire = createWire({ carrier, clock: realClock, tape: createTape(), limits, ...stop });
    const { exchange, ...rest } = await call(
      { ...target, profile: target.profile ?? 'auto', binding: target.binding ?? 'auto' },
      {
        wire,
        clock: realClock,
        credentials,
        query,
        allowedOrigins,
        hasCertificate: network.cert !== undefined,
        timeoutMs,
        uuid,
        ...stop,
      },
    );
    const reached = [...describeNetwork(target.url, network), ...(authorized === undefined ? [] : [authorized.about])];
    const evidence = [...reached, ...rest.evidence];
    return { ...redactor.value({ ...rest, evidence }), exchange: redactor.redactExchange(exchange) };
  } catch (error) {
    throw cleanError(error, redactor);
  } finally {
    await own.close();
    await authorized?.close();
  }
}
