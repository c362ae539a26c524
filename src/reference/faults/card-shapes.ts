import { edited, onCard, set } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { allBut } from '../variant.js';

const member = (path: string, value: unknown): Patch => onCard((card) => set(card, path, value));
const is10 = (card: object): boolean => 'supportedInterfaces' in card;
/** Sets the URL of the endpoint: in each interface since 1.0, on the card before. */
const url = (value: string): Patch =>
  onCard((card) => (is10(card) ? edited(card, 'supportedInterfaces.*.url', () => value) : set(card, 'url', value)));
const oauth = (value: string): Patch =>
  onCard((card) => {
    const flows = { clientCredentials: { tokenUrl: value, scopes: { read: 'Reading.' } } };
    const main = is10(card) ? { oauth2SecurityScheme: { flows } } : { type: 'oauth2', flows };
    return { ...card, securitySchemes: { main } };
  });

/** Members of the wrong shape that a client may take for absent, and texts that only look like URLs. */
export const cardShapeFaults: readonly Fault[] = [
  fault('card-schemes-empty-list', {
    about: 'Security schemes are an empty list.',
    breaks: ['card.scheme-type'],
    patch: member('securitySchemes', []),
  }),
  fault('card-extensions-empty-map', {
    about: 'Extensions are an empty map.',
    breaks: ['ext.uri'],
    patch: member('capabilities.extensions', {}),
  }),
  fault('card-signatures-empty-map', {
    about: 'Signatures are an empty map.',
    breaks: ['sig.members'],
    patch: member('signatures', {}),
  }),
  fault('card-additional-empty-map', {
    about: 'Additional interfaces are an empty map.',
    breaks: ['card.interface-members'],
    profiles: ['a2a-0.3', 'a2a-0.2'],
    patch: member('additionalInterfaces', {}),
  }),
  fault('card-skills-empty-map', {
    about: 'Skills are an empty map.',
    breaks: ['card.skills'],
    patch: member('skills', {}),
  }),
  fault('card-capabilities-empty-list', {
    about: 'Capabilities are an empty list.',
    breaks: ['card.capabilities'],
    patch: member('capabilities', []),
  }),
  fault('card-provider-text', {
    about: 'The provider is a text.',
    breaks: ['card.provider'],
    // The notes of the Terminal Bench dialect spell the provider as a text.
    profiles: allBut('terminal-bench'),
    patch: member('provider', ''),
  }),
  fault('card-url-placeholder', {
    about: 'The URL still has the placeholder of a template.',
    breaks: ['card.url'],
    patch: url('https://<HOST>/a2a'),
  }),
  fault('card-url-of-nothing', {
    about: 'The URL has a scheme that no client of HTTP can call.',
    breaks: ['card.url'],
    notOver: ['grpc'],
    patch: url('local://agent'),
  }),
  fault('card-interface-url-relative', {
    about: 'The URL of an additional interface is a path.',
    breaks: ['card.interface-members'],
    profiles: ['a2a-0.3', 'a2a-0.2'],
    patch: onCard((card) => ({
      ...card,
      additionalInterfaces: [
        { url: card['url'], transport: 'JSONRPC' },
        { url: '/rest', transport: 'HTTP+JSON' },
      ],
    })),
  }),
  fault('card-oauth-url-placeholder', {
    about: 'The token URL of an OAuth flow still has the placeholder of a template.',
    breaks: ['card.links-are-urls'],
    patch: oauth('https://<HOST>/token'),
  }),
];
