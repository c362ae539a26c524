import { brief, conforms, isString, type JsonObject, law, member, severally } from '../../src/kit/index.js';
import { noCard, objectsIn, onCard, own, placesOnCard, unless } from '../shared/declared.js';

// A2A 0.3 §5.5.4 AgentSkill.

const always = { otherwise: noCard };

// In our words (1.0, 4.4.1 AgentCard): The card has a `skills` array.
export const skills = conforms('card/skills', 'card.skills', 'have a list of skills', {
  ...always,
  advice:
    'Write a list, not a map by id, and "skills": [] where there are none: serializers that drop empty lists leave it out.',
});
// In our words (1.0, 4.4.5 AgentSkill): Every skill has a string `id`.
export const skillId = conforms('card/skill-id', 'card.skill-id', 'give each skill a string `id`', {
  ...always,
  advice: 'Write each id as a text, such as "translate". Ids from a database are numbers: convert them.',
});
// In our words (1.0, 4.4.5 AgentSkill): Every skill has a string `name` and a string `description`.
export const skillTexts = conforms(
  'card/skill-texts',
  'card.skill-texts',
  'give each skill a string name and a string description',
  {
    ...always,
    advice:
      'A skill that is made from a function has no description where the function has no comment: write both texts.',
  },
);
// In our words (1.0, 4.4.5 AgentSkill): Every skill has `tags` as an array of strings.
export const skillTags = conforms(
  'card/skill-tags',
  'card.skill-tags',
  'give each skill a list of tags, which are strings',
  {
    ...always,
    advice:
      'Write "tags": [] where there are none: serializers that drop empty lists leave it out. Several tags are several texts, not one with commas.',
  },
);
// In our words (1.0, 4.4.5 AgentSkill): Skill `examples`, `inputModes`, `outputModes` are string arrays when present.
export const skillLists = conforms(
  'card/skill-lists',
  'card.skill-lists',
  'give examples and modes of its skills as lists of strings',
  {
    otherwise: noCard,
    unless: unless('no skill has examples or modes', (card) =>
      objectsIn(card['skills']).some(own('examples', 'inputModes', 'outputModes')),
    ),
    advice: 'Write a list, also for one entry: "examples": ["…"]. Leave out what is not set, instead of writing null.',
  },
);

/** Each skill whose id an earlier one has. */
function repeatedIds({ skills: all }: JsonObject): readonly (readonly [at: number, id: string])[] {
  const seen = new Set<string>();
  return (Array.isArray(all) ? all : []).flatMap((skill, at) => {
    const id = member(skill, 'id');
    return isString(id) && seen.size === seen.add(id).size ? [[at, id] as const] : [];
  });
}

// In our words (1.0, 4.4.5 AgentSkill): Skill ids are unique inside one card.
export const skillIdsUnique = law(
  'card/skill-ids-unique',
  'card.skill-ids-unique',
  'give each skill an id of its own',
  {
    otherwise: 'no skill has a string id',
    advice:
      'Clients choose a skill by its id. Look for entries that were copied, or made in a loop that sets one id for all.',
    places: placesOnCard((card) =>
      repeatedIds(card).map(([at, id]) => ({
        path: `/skills/${at}/id`,
        problem: 'is the id of an earlier skill too',
        seen: brief(id),
      })),
    ),
  },
  onCard((card) => {
    const twice = repeatedIds(card);
    if (twice.length > 0) return `several skills have the id ${severally(twice.map(([, id]) => brief(id)))}`;
    return objectsIn(card['skills']).some(({ id }) => isString(id)) ? 'holds' : 'not-concerned';
  }),
);
