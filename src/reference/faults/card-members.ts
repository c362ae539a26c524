import { onCard, set, without } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { allBut } from '../variant.js';

const member = (path: string, value: unknown): Patch => onCard((card) => set(card, path, value));
const missing = (path: string): Patch => onCard((card) => without(card, path));

/** Members of the card, one by one. */
export const cardMemberFaults: readonly Fault[] = [
  fault('card-no-name', { about: 'The card has no name.', breaks: ['card.name'], patch: missing('name') }),
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
  fault('card-flag-string', {
    about: 'A capability flag is the text "false".',
    breaks: ['card.capability-flags'],
    patch: member('capabilities.streaming', 'false'),
  }),
  fault('card-modes-text', {
    about: 'The default input modes are one text.',
    breaks: ['card.default-modes'],
    patch: member('defaultInputModes', 'text/plain'),
  }),
  fault('card-provider-without-url', {
    about: 'The provider has no URL.',
    breaks: ['card.provider'],
    patch: member('provider', { organization: 'Vendor' }),
  }),
  fault('card-icon-null', {
    about: 'iconUrl is null.',
    breaks: ['card.links'],
    profiles: allBut('a2a-1.0'),
    patch: member('iconUrl', null),
  }),
];
