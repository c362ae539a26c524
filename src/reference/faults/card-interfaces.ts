import { member } from '../../model/index.js';
import type { Reply } from '../calls.js';
import { edited, onCard, onResult, set, without } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import { jsonHeaders, plainReply } from '../http.js';
import { type Patch, together } from '../seams.js';
import { declaring } from '../variants/declaring.js';

/** The card names this path below the endpoint, which answers with `reply`. */
const pointingAt = (path: string, reply: Reply): Patch =>
  together(
    declaring(({ interfaces: all }) => ({ interfaces: all.map((one) => ({ ...one, url: `${one.url}${path}` })) })),
    (inner) => ({
      serve: async (request) =>
        `${new URL(request.url).pathname}/`.includes(`/${path}/`) ? reply : inner.serve(request),
    }),
  );
/** Changes the interfaces of an agent that has two: JSON-RPC, and HTTP+JSON below it. */
const interfaces = (change: (url: string) => readonly object[]): Patch =>
  onCard((card) => {
    const now = card['supportedInterfaces'];
    if (!Array.isArray(now)) return set(card, 'additionalInterfaces', change(String(card['url'])));
    // Since 1.0 each interface names its version, and the transport is called binding.
    const spelled = change(String(member(now[0], 'url'))).map(({ transport, ...one }: { transport?: string }) => ({
      ...one,
      ...(transport === undefined ? {} : { protocolBinding: transport }),
      protocolVersion: '1.0',
    }));
    return { ...card, supportedInterfaces: spelled };
  });
const on = 'two-interfaces';

/** URLs and transports on the card, and what the URLs answer. */
export const cardInterfaceFaults: readonly Fault[] = [
  fault('card-url-dead', {
    about: 'Nothing stands at the URL of the card.',
    breaks: ['card.endpoint-answers'],
    notOver: ['grpc'],
    patch: pointingAt('a2a/v1', plainReply(404, 'Not found')),
  }),
  fault('card-url-is-web-page', {
    about: 'A web page stands at the URL of the card.',
    breaks: ['card.endpoint-answers'],
    notOver: ['grpc'],
    patch: pointingAt('home', { status: 200, headers: [['content-type', 'text/html']], body: '<h1>Welcome</h1>\n' }),
  }),
  fault('card-url-is-other-json', {
    about: 'JSON of another kind stands at the URL of the card.',
    breaks: ['card.endpoint-answers'],
    notOver: ['grpc'],
    patch: pointingAt('status', { status: 200, headers: jsonHeaders, body: '{"status":"ok"}' }),
  }),
  fault('card-no-transport', {
    about: 'The card names no interface, and there is none.',
    breaks: ['card.transport-declared', 'card.url'],
    profiles: ['a2a-0.3'],
    patch: together(
      onCard((card) => without(without(card, 'url') as object, 'preferredTransport')),
      () => ({
        serveRpc: async () => plainReply(404, 'Not found'),
        serveHttp: async () => plainReply(404, 'Not found'),
      }),
    ),
  }),
  fault('card-interface-dead', {
    about: 'Nothing stands at the URL of an additional JSON-RPC interface.',
    breaks: ['card.interfaces-answer'],
    on,
    binding: 'jsonrpc',
    patch: interfaces((url) => [
      { url, transport: 'JSONRPC' },
      { url: `${url}second`, transport: 'JSONRPC' },
    ]),
  }),
  fault('card-interface-wrong-transport', {
    about: 'An HTTP+JSON interface is declared as JSON-RPC.',
    breaks: ['card.interfaces-answer'],
    on,
    binding: 'jsonrpc',
    patch: interfaces((url) => [
      { url, transport: 'JSONRPC' },
      { url: `${url}rest`, transport: 'JSONRPC' },
    ]),
  }),
  fault('card-interface-rest-dead', {
    about: 'Nothing stands at the URL of the HTTP+JSON interface.',
    breaks: ['card.interfaces-answer'],
    on,
    binding: 'jsonrpc',
    patch: interfaces((url) => [
      { url, transport: 'JSONRPC' },
      { url: `${url}http`, transport: 'HTTP+JSON' },
    ]),
  }),
  fault('card-interface-conflict', {
    about: 'The URL of the HTTP+JSON interface is declared for JSON-RPC too, which does not answer there.',
    breaks: ['card.no-transport-conflict', 'card.interfaces-answer'],
    on,
    binding: 'jsonrpc',
    patch: interfaces((url) => [
      { url, transport: 'JSONRPC' },
      { url: `${url}rest`, transport: 'HTTP+JSON' },
      { url: `${url}rest`, transport: 'JSONRPC' },
    ]),
  }),
  fault('card-interface-transport-misspelled', {
    about: 'An additional interface is of the transport http_json.',
    breaks: ['card.transport-names'],
    on,
    patch: interfaces((url) => [
      { url, transport: 'JSONRPC' },
      { url: `${url}rest`, transport: 'http_json' },
    ]),
  }),
  fault('wire-of-a-later-version', {
    about: 'States are spelled as in 1.0, though the card says 0.3.',
    breaks: ['ver.wire-matches-card'],
    notOver: ['a2a-0.3-grpc'],
    patch: onResult('any', (wire) =>
      edited(wire, 'status.state', (state) => `TASK_STATE_${String(state).toUpperCase().replace('-', '_')}`),
    ),
  }),
];
