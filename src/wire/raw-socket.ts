import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Carrier, CarrierFailure, type StopSignal, type WireResponse } from './exchange.js';
import { asCarrierFailure } from './failure-kind.js';
import { createByteSource, readBody, readHead } from './raw-response.js';

function connectTo({ protocol, hostname, port }: URL): Socket {
  // URL keeps the brackets of an IPv6 address, sockets want none.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (protocol === 'http:') return connectTcp({ host, port: Number(port || 80) });
  if (protocol !== 'https:') throw new CarrierFailure('aborted', `no way to send to a ${protocol} URL`);
  const isAddress = /^[\d.]+$/.test(host) || host.includes(':');
  return connectTls({
    host,
    port: Number(port || 443),
    ALPNProtocols: ['http/1.1'],
    ...(isAddress ? {} : { servername: host }),
  });
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
async function sendRaw(url: string, bytes: Uint8Array, signal: StopSignal): Promise<WireResponse> {
  let socket: Socket;
  try {
    socket = connectTo(new URL(url));
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

/** `sendRaw` as a carrier: the body holds the whole request, with its head. */
export const rawCarrier: Carrier = ({ url, body }, signal) => sendRaw(url, body ?? new Uint8Array(0), signal);
