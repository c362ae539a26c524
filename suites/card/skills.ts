import { brief, conforms, isString, law, severally } from '../../src/kit/index.js';
import { noCard, objectsIn, onCard, own, unless } from './declared.js';

// A2A 0.3 §5.5.4 AgentSkill.

const always = { otherwise: noCard };

export const skills = conforms('card/skills', 'card.skills', 'give the card a list of skills', always).killedBy(
  'card-no-skills',
  'card-skills-map',
  'card-skills-empty-map',
);
export const skillId = conforms('card/skill-id', 'card.skill-id', 'give each skill a string id', always).killedBy(
  'card-skill-without-id',
  'card-skill-id-number',
);
export const skillTexts = conforms(
  'card/skill-texts',
  'card.skill-texts',
  'give each skill a string name and a string description',
  always,
).killedBy('card-skill-without-name', 'card-skill-without-description');
export const skillTags = conforms(
  'card/skill-tags',
  'card.skill-tags',
  'give each skill a list of string tags',
  always,
).killedBy('card-skill-without-tags', 'card-skill-tags-text', 'card-skill-tags-numbers');
export const skillLists = conforms(
  'card/skill-lists',
  'card.skill-lists',
  'give examples and modes of skills as lists of strings',
  {
    otherwise: noCard,
    unless: unless('no skill has examples or modes', (card) =>
      objectsIn(card['skills']).some(own('examples', 'inputModes', 'outputModes')),
    ),
  },
).killedBy('card-skill-examples-null', 'card-skill-input-modes-text', 'card-skill-output-modes-numbers');

export const skillIdsUnique = law(
  'card/skill-ids-unique',
  'card.skill-ids-unique',
  'give each skill an id of its own',
  { otherwise: 'no skill has a string id' },
  onCard((card) => {
    const ids = objectsIn(card['skills'])
      .map((skill) => skill['id'])
      .filter(isString);
    const seen = new Set<string>();
    const twice = ids.filter((id) => seen.size === seen.add(id).size);
    if (twice.length > 0) return `several skills have the id ${severally(twice.map((one) => brief(one)))}`;
    return ids.length > 0 ? 'holds' : 'not-concerned';
  }),
).killedBy('card-skill-ids-repeat');
