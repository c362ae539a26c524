import { edited, onCard, set, without } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { allBut } from '../variant.js';

const member = (path: string, value: unknown): Patch => onCard((card) => set(card, path, value));
const missing = (path: string): Patch => onCard((card) => without(card, path));
/** Sets a member of the card; since 1.0, of each interface. */
const perInterface = (name: string, value: unknown): Patch =>
  onCard((card) =>
    Array.isArray(card['supportedInterfaces'])
      ? edited(card, `supportedInterfaces.*.${name}`, () => value)
      : edited(card, name, () => value),
  );

/** Members of the card, one by one. */
export const cardMemberFaults: readonly Fault[] = [
  fault('card-no-name', { about: 'The card has no name.', breaks: ['card.name'], patch: missing('name') }),
  fault('card-name-null', { about: 'The name is null.', breaks: ['card.name'], patch: member('name', null) }),
  fault('card-no-description', {
    about: 'The card has no description.',
    breaks: ['card.description'],
    profiles: allBut('openclaw'),
    patch: missing('description'),
  }),
  fault('card-description-list', {
    about: 'The description is a list of lines.',
    breaks: ['card.description'],
    patch: member('description', ['An agent.']),
  }),
  fault('card-no-version', { about: 'The card has no version.', breaks: ['card.version'], patch: missing('version') }),
  fault('card-version-number', {
    about: 'The version is a number.',
    breaks: ['card.version'],
    patch: member('version', 1),
  }),
  fault('card-no-protocol-version', {
    about: 'The card has no protocolVersion.',
    breaks: ['card.protocol-version'],
    patch: perInterface('protocolVersion', undefined),
  }),
  fault('card-protocol-version-number', {
    about: 'protocolVersion is a number.',
    breaks: ['card.protocol-version'],
    patch: perInterface('protocolVersion', 0.3),
  }),
  fault('card-claims-older-version', {
    about: 'The card still claims 0.1.0.',
    breaks: ['card.protocol-version-line'],
    patch: perInterface('protocolVersion', '0.1.0'),
  }),
  fault('card-no-url', { about: 'The card has no URL.', breaks: ['card.url'], patch: perInterface('url', undefined) }),
  fault('card-url-relative', { about: 'The URL is a path.', breaks: ['card.url'], patch: perInterface('url', '/a2a') }),
  fault('card-no-preferred-transport', {
    about: 'The card has no preferredTransport.',
    breaks: ['card.preferred-transport'],
    // Optional in 0.2.
    profiles: ['a2a-0.3'],
    patch: missing('preferredTransport'),
  }),
  fault('card-preferred-transport-list', {
    about: 'The preferred transport is a list.',
    breaks: ['card.preferred-transport'],
    patch: member('preferredTransport', ['JSONRPC']),
  }),
  fault('card-no-capabilities', {
    about: 'The card has no capabilities.',
    breaks: ['card.capabilities'],
    patch: missing('capabilities'),
  }),
  fault('card-capabilities-list', {
    about: 'Capabilities are a list of names.',
    breaks: ['card.capabilities'],
    patch: member('capabilities', ['streaming']),
  }),
  fault('card-flag-string', {
    about: 'A capability flag is the text "false".',
    breaks: ['card.capability-flags'],
    patch: member('capabilities.streaming', 'false'),
  }),
  fault('card-flag-null', {
    about: 'A capability flag is null.',
    breaks: ['card.capability-flags'],
    profiles: allBut('a2a-1.0'),
    patch: member('capabilities.pushNotifications', null),
  }),
  fault('card-no-input-modes', {
    about: 'The card has no default input modes.',
    breaks: ['card.default-modes'],
    patch: missing('defaultInputModes'),
  }),
  fault('card-no-output-modes', {
    about: 'The card has no default output modes.',
    breaks: ['card.default-modes'],
    patch: missing('defaultOutputModes'),
  }),
  fault('card-modes-text', {
    about: 'The default input modes are one text.',
    breaks: ['card.default-modes'],
    patch: member('defaultInputModes', 'text/plain'),
  }),
  fault('card-modes-numbers', {
    about: 'The default output modes are numbers.',
    breaks: ['card.default-modes'],
    patch: member('defaultOutputModes', [1, 2]),
  }),
  fault('card-modes-bare-words', {
    about: 'The default modes are bare words.',
    breaks: ['card.modes-are-media-types'],
    patch: member('defaultInputModes', ['text', 'file']),
  }),
  fault('card-skill-modes-bare-words', {
    about: 'The modes of skills are bare words.',
    breaks: ['card.modes-are-media-types'],
    patch: member('skills.*.outputModes', ['text']),
  }),
  fault('card-provider-list', {
    about: 'The provider is a list of names.',
    breaks: ['card.provider'],
    patch: member('provider', ['Vendor']),
  }),
  fault('card-provider-without-url', {
    about: 'The provider has no URL.',
    breaks: ['card.provider'],
    patch: member('provider', { organization: 'Vendor' }),
  }),
  fault('card-provider-without-organization', {
    about: 'The provider has no name.',
    breaks: ['card.provider'],
    patch: member('provider', { url: 'https://vendor.example' }),
  }),
  fault('card-provider-url-bare-host', {
    about: 'The URL of the provider is a bare host.',
    breaks: ['card.links-are-urls'],
    patch: member('provider', { organization: 'Vendor', url: 'vendor.example' }),
  }),
  fault('card-documentation-object', {
    about: 'documentationUrl is an object.',
    breaks: ['card.links'],
    patch: member('documentationUrl', { en: 'https://vendor.example/docs' }),
  }),
  fault('card-documentation-relative', {
    about: 'documentationUrl is a path.',
    breaks: ['card.links-are-urls'],
    patch: member('documentationUrl', '/docs'),
  }),
  fault('card-icon-null', {
    about: 'iconUrl is null.',
    breaks: ['card.links'],
    profiles: allBut('a2a-1.0'),
    patch: member('iconUrl', null),
  }),
  fault('card-extended-flag-text', {
    about: 'The flag for the extended card is the text "yes".',
    breaks: ['card.extended-flag'],
    patch: onCard((card) =>
      Array.isArray(card['supportedInterfaces'])
        ? set(card, 'capabilities.extendedAgentCard', 'yes')
        : set(card, 'supportsAuthenticatedExtendedCard', 'yes'),
    ),
  }),
];
