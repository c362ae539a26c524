import { createHash } from 'node:crypto';
import { type Card, isObject, unknownCard } from '../model/index.js';
import { publicJwk, signCard } from '../signing/index.js';
import { type Header, header } from '../wire/index.js';
import type { Incoming } from './calls.js';
import { jsonHeaders, notAllowed, plainReply } from './replies.js';
import type { Seams, World } from './seams.js';

export const keysPath = '/.well-known/jwks.json';
const mediaTypes = ['text/plain', 'application/json', 'image/png'];

export type CardSeams = Pick<
  Seams,
  'card' | 'extendedCard' | 'cardDocument' | 'signingKeys' | 'serveCard' | 'serveKeys'
>;

export function card({ baseUrl, clock, dialect, spelling }: World, whole: Seams): CardSeams {
  const { protocolVersion, versions, cardMaxAge } = spelling;
  const born = new Date(clock.now()).toUTCString();
  const plain: Card = {
    ...unknownCard,
    name: 'Reference Agent',
    version: '1.0.0',
    protocolVersion,
    capabilities: { ...unknownCard.capabilities, ...spelling.capabilities },
    interfaces: [
      {
        url: `${baseUrl}${dialect.endpointPath || '/'}`,
        transport: dialect.binding.transport,
        ...(versions === undefined ? {} : { version: protocolVersion }),
      },
    ],
    inputModes: mediaTypes,
    outputModes: mediaTypes,
    skills: [
      { id: 'echo', inputModes: [], outputModes: [] },
      { id: 'draw', inputModes: ['text/plain'], outputModes: ['image/png'] },
    ],
  };

  /** 1.0 §8.6.1 */
  function caching(body: string | Uint8Array): readonly Header[] {
    if (cardMaxAge === undefined) return [];
    return [
      ['cache-control', `max-age=${cardMaxAge}`],
      ['etag', `"${createHash('sha256').update(body).digest('base64url')}"`],
      ['last-modified', born],
    ];
  }

  return {
    card: () => plain,
    extendedCard() {
      const open = whole.card();
      return { ...open, skills: [...open.skills, { id: 'secret', inputModes: [], outputModes: [] }] };
    },
    signingKeys: () => [],
    cardDocument() {
      // Through JSON, so that members without a value are absent and patches may keep what they get.
      const document: unknown = JSON.parse(JSON.stringify(dialect.card.encode(whole.card() as never)));
      if (!isObject(document)) return document;
      const spelled = spelling.card(document);
      const jku = `${baseUrl}${keysPath}`;
      const signatures = whole.signingKeys().map((key) => signCard(spelled, key, { jku }));
      return signatures.length > 0 ? { ...spelled, signatures } : spelled;
    },
    serveCard(request) {
      if (!isReading(request)) return notAllowed('GET, HEAD');
      const body = whole.print(whole.cardDocument());
      const cached = caching(body);
      const tag = header(cached, 'etag');
      if (tag !== undefined && knows(request, tag)) return { status: 304, headers: cached, body: '' };
      return { status: 200, headers: [...jsonHeaders, ...cached], body: request.method === 'HEAD' ? '' : body };
    },
    serveKeys(request) {
      const keys = whole.signingKeys();
      if (keys.length === 0) return plainReply(404, 'Not found');
      if (!isReading(request)) return notAllowed('GET, HEAD');
      const body = JSON.stringify({ keys: keys.map(publicJwk) });
      return { status: 200, headers: jsonHeaders, body: request.method === 'HEAD' ? '' : body };
    },
  };
}

const isReading = ({ method }: Incoming): boolean => method === 'GET' || method === 'HEAD';

/** RFC 9110 §13.1.2: weak comparison. */
function knows({ headers }: Incoming, tag: string): boolean {
  const known = header(headers, 'if-none-match')?.split(',') ?? [];
  return known.some((text) => text.trim() === '*' || text.trim().replace(/^W\//, '') === tag);
}
