import type { Socket } from 'node:net';
import { type Carrier, CarrierFailure, type StopSignal, type WireResponse } from '../exchange/exchange.js';
import { dial } from './dial.js';
import { asCarrierFailure } from './failure-kind.js';
import { type Network, placeOf } from './network.js';
import { createByteSource, readBody, readHead } from './raw-response.js';

export interface RawCarrierOptions {
  readonly network?: Network;
  /** Until a proxy has opened a tunnel, ms. */
  readonly connectTimeoutMs?: number;
}

function connectTo(
  url: URL,
  { network = {}, connectTimeoutMs: timeoutMs = 10_000 }: RawCarrierOptions,
): Socket | Promise<Socket> {
  const { protocol } = url;
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new CarrierFailure('aborted', `no way to send to a ${protocol} URL`);
  return dial(placeOf(url), { network, alpn: ['http/1.1'], timeoutMs });
}

async function* arriving(socket: Socket): AsyncGenerator<Uint8Array> {
  try {
    yield* socket;
  } catch (error) {
    throw asCarrierFailure(error);
  } finally {
    socket.destroy();
  }
}

/**
 * Sends exactly these bytes on a new connection, for requests that no HTTP client would send, and reads one response
 * leniently. The socket closes at the end of the body or when the signal fires; the wire limits time and size.
 */
async function sendRaw(
  url: string,
  bytes: Uint8Array,
  signal: StopSignal,
  options: RawCarrierOptions,
): Promise<WireResponse> {
  let socket: Socket;
  try {
    const connecting = connectTo(new URL(url), options);
    socket = connecting instanceof Promise ? await connecting : connecting;
  } catch (error) {
    throw asCarrierFailure(error);
  }
  const drop = (): void => {
    socket.destroy(new CarrierFailure('aborted', 'the kit dropped the connection'));
  };
  if (signal.aborted) drop();
  else signal.addEventListener('abort', drop, { once: true });
  socket.once('close', () => signal.removeEventListener('abort', drop));
  // Errors reach the reader through the iterator; one that comes later must not end the process.
  socket.on('error', () => {});
  // Not `end`: some servers give up on a half-closed connection.
  socket.write(bytes);
  const incoming = arriving(socket);
  const source = createByteSource(incoming);
  try {
    const head = await readHead(source);
    const method = /^[A-Za-z]+/.exec(Buffer.from(bytes.subarray(0, 16)).toString('latin1'))?.[0] ?? '';
    return { ...head, body: closing(readBody(source, head, method.toUpperCase()), incoming) };
  } catch (error) {
    socket.destroy();
    throw asCarrierFailure(error);
  }
}

async function* closing(
  body: AsyncIterable<Uint8Array>,
  incoming: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    await incoming.return(undefined);
  }
}

/**
 * `sendRaw` as a carrier: the body holds the whole request, with its head. Through a proxy it asks for a tunnel, to
 * http agents too: the proxy would not pass such bytes on unchanged.
 */
export const createRawCarrier =
  (options: RawCarrierOptions = {}): Carrier =>
  ({ url, body }, signal) =>
    sendRaw(url, body ?? new Uint8Array(0), signal, options);
