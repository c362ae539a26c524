import { TckError } from '../model/index.js';
import { findAnyCard } from '../run/index.js';
import {
  type Carrier,
  createTape,
  createWire,
  type Header,
  type Network,
  parseTargetUrl,
  realClock,
} from '../wire/index.js';
import { type Authorized, authorize, type DeviceRequest, type OAuthTarget } from './oauth.js';

interface Options {
  readonly url: string;
  readonly oauth?: OAuthTarget;
  readonly headers?: readonly Header[];
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly allowedOrigins?: readonly string[];
  readonly timeoutMs?: number;
  readonly onDevice?: (request: DeviceRequest) => void;
  readonly signal?: AbortSignal;
}

/** Longest card that is read, bytes. */
const maxBytes = 4 * 1024 * 1024;
const usualTimeoutMs = 10_000;

/** The card of an agent, as callers without a token get it. Throws `TckError`: `unreachable`, `usage`. */
async function cardOf(
  { url, headers = [], query = [], timeoutMs = usualTimeoutMs, signal }: Options,
  carrier: Carrier,
) {
  const wire = createWire({
    carrier,
    clock: realClock,
    tape: createTape(),
    limits: { timeoutMs, maxBytes },
    ...(signal === undefined ? {} : { signal }),
  });
  const evidence: string[] = [];
  const found = await findAnyCard({ wire, credentials: headers, query }, parseTargetUrl(url), evidence);
  if (found !== undefined) return found.document;
  const hint = 'with a token of your own, give --bearer-env';
  throw new TckError('usage', `no card says where tokens come from: ${evidence.join('; ')}`, hint);
}

/**
 * Gets the tokens of a run or a call; undefined: none are asked for. `close` closes the way to the OAuth server, on which
 * certificates are always checked. Throws `TckError`.
 */
export async function authorizeRun(
  options: Options,
  network: Network,
  carrier: Carrier,
): Promise<(Authorized & { close(): Promise<void> }) | undefined> {
  const { oauth, url, headers = [], allowedOrigins = [], onDevice, signal } = options;
  if (oauth === undefined) return undefined;
  if (headers.some(([name]) => name.toLowerCase() === 'authorization')) {
    const hint = 'leave out --oauth-client-id-env, or the token';
    throw new TckError('usage', 'a token is given, and OAuth tokens are asked for', hint);
  }
  const { createHttpCarrier } = await import('../wire/http.js');
  const { insecure: _, ...checked } = network;
  const toServer = createHttpCarrier({ network: checked });
  try {
    const card = await cardOf(options, carrier);
    const agent = parseTargetUrl(url);
    const settings = { oauth, card, agent, allowedOrigins, carrier: toServer, clock: realClock, onDevice, signal };
    return { ...(await authorize(settings)), close: () => toServer.close() };
  } catch (error) {
    await toServer.close();
    throw error;
  }
}
