import { onCard, set, without } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { before10 } from '../variant.js';

const member = (path: string, value: unknown): Patch => onCard((card) => set(card, path, value));
const missing = (path: string): Patch => onCard((card) => without(card, path));

export const cardSkillFaults: readonly Fault[] = [
  fault('card-no-skills', {
    about: 'The card has no skills.',
    breaks: ['card.skills'],
    profiles: before10,
    patch: missing('skills'),
  }),
  fault('card-skill-id-number', {
    about: 'Ids of skills are numbers.',
    breaks: ['card.skill-id'],
    patch: member('skills.*.id', 7),
  }),
];
