import { type Called, type CallRequest, call, random, uuids } from '../run/index.js';
import { createRedactor, createTape, createWire, realClock } from '../wire/index.js';
import { cleanError } from './clean-error.js';
import { hiddenIn, type TargetOptions } from './run-here.js';

/** One call of one operation: what is called, by whom, and how long the answer is waited for. */
export interface CallTarget
  extends Omit<CallRequest, 'profile' | 'binding'>,
    Partial<Pick<CallRequest, 'profile' | 'binding'>>,
    Pick<TargetOptions, 'headers' | 'query' | 'timeoutMs' | 'secrets' | 'allowedOrigins' | 'signal'> {}

/** Longest answer that is read, bytes. */
const maxBytes = 4 * 1024 * 1024;
const usualTimeoutMs = 10_000;

/**
 * Calls one operation of an agent over any binding, in this thread, and tells what came, secrets removed. Throws
 * `TckError` when there is nothing to tell: wrong options (`usage`), nobody there (`unreachable`), no agent
 * (`not-an-agent`). What the agent answers is never thrown.
 */
export async function callHere(target: CallTarget): Promise<Called> {
  const { createHttpCarrier } = await import('../wire/http.js');
  const { headers = [], query = [], allowedOrigins = [], timeoutMs = usualTimeoutMs, signal } = target;
  const redactor = createRedactor(hiddenIn(target));
  const carrier = createHttpCarrier();
  const stop = signal === undefined ? {} : { signal };
  const limits = { timeoutMs, maxBytes };
  const wire = createWire({ carrier, clock: realClock, tape: createTape(), limits, ...stop });
  const uuid = uuids(random(Math.floor(Math.random() * 2 ** 32)));
  try {
    const { exchange, ...told } = await call(
      { ...target, profile: target.profile ?? 'auto', binding: target.binding ?? 'auto' },
      { wire, clock: realClock, credentials: headers, query, allowedOrigins, timeoutMs, uuid, ...stop },
    );
    return { ...redactor.value(told), exchange: redactor.redactExchange(exchange) };
  } catch (error) {
    throw cleanError(error, redactor);
  } finally {
    await carrier.close();
  }
}
