import { onCard, set, without } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { allBut, before10 } from '../variant.js';

const member = (path: string, value: unknown): Patch => onCard((card) => set(card, path, value));
const missing = (path: string): Patch => onCard((card) => without(card, path));

export const cardSkillFaults: readonly Fault[] = [
  fault('card-no-skills', {
    about: 'The card has no skills.',
    breaks: ['card.skills'],
    profiles: before10,
    patch: missing('skills'),
  }),
  fault('card-skills-map', {
    about: 'Skills are a map by id.',
    breaks: ['card.skills'],
    patch: member('skills', { echo: { id: 'echo' } }),
  }),
  fault('card-skill-without-id', {
    about: 'Skills have no id.',
    breaks: ['card.skill-id'],
    patch: missing('skills.*.id'),
  }),
  fault('card-skill-id-number', {
    about: 'Ids of skills are numbers.',
    breaks: ['card.skill-id'],
    patch: member('skills.*.id', 7),
  }),
  fault('card-skill-ids-repeat', {
    about: 'All skills have the same id.',
    breaks: ['card.skill-ids-unique'],
    patch: member('skills.*.id', 'skill'),
  }),
  fault('card-skill-without-name', {
    about: 'Skills have no name.',
    breaks: ['card.skill-texts'],
    patch: missing('skills.*.name'),
  }),
  fault('card-skill-without-description', {
    about: 'Skills have no description.',
    breaks: ['card.skill-texts'],
    profiles: allBut('openclaw'),
    patch: missing('skills.*.description'),
  }),
  fault('card-skill-without-tags', {
    about: 'Skills have no tags.',
    breaks: ['card.skill-tags'],
    patch: missing('skills.*.tags'),
  }),
  fault('card-skill-tags-text', {
    about: 'Tags are one text.',
    breaks: ['card.skill-tags'],
    patch: member('skills.*.tags', 'echo, text'),
  }),
  fault('card-skill-tags-numbers', {
    about: 'Tags are numbers.',
    breaks: ['card.skill-tags'],
    patch: member('skills.*.tags', [1, 2]),
  }),
  fault('card-skill-examples-null', {
    about: 'Examples of skills are null.',
    breaks: ['card.skill-lists'],
    profiles: allBut('a2a-1.0'),
    patch: member('skills.*.examples', null),
  }),
  fault('card-skill-input-modes-text', {
    about: 'Input modes of skills are one text.',
    breaks: ['card.skill-lists'],
    patch: member('skills.*.inputModes', 'text/plain'),
  }),
  fault('card-skill-output-modes-numbers', {
    about: 'Output modes of skills are numbers.',
    breaks: ['card.skill-lists'],
    patch: member('skills.*.outputModes', [1]),
  }),
];
