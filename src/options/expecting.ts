import { taskStates } from '../kit/index.js';
import { definitions, type Schema } from './steering.js';

const answer: Schema = { enum: ['message', ...taskStates] };

/** One text or several, each of at least so many characters. */
const texts = (minLength: number, description: string): Schema => ({
  type: ['string', 'array'],
  items: { type: 'string', minLength },
  minLength,
  minItems: 1,
  description,
});

/** What a user expects of answers beside the protocol. */
export const expecting: Schema = {
  type: 'array',
  maxItems: 200,
  items: {
    $ref: '#/$defs/expectation',
  },
};

/** Parts of schemas to which it refers. */
export const expectingParts: Readonly<Record<string, Schema>> = {
  expectation: {
    type: 'object',
    additionalProperties: false,
    required: ['name', 'prompt'],
    properties: {
      name: {
        type: 'string',
        minLength: 1,
        maxLength: 120,
        description: 'what reports call it; unique',
      },
      prompt: {
        $ref: '#/$defs/prompt',
        description: 'what is said to the agent: a text, or an object with text, parts or metadata',
      },
      next: {
        type: 'array',
        items: {
          $ref: '#/$defs/prompt',
        },
        maxItems: 20,
        description: 'what is said next, each after the answer before it; the last answer is judged',
      },
      state: {
        anyOf: [
          answer,
          {
            type: 'array',
            minItems: 1,
            items: answer,
          },
        ],
        description: 'state of the answer, or a list of which one is right; message: a message and no task',
      },
      contains: texts(1, 'texts that are all in the answer, in any case'),
      lacks: texts(1, 'texts of which none is in the answer, in any case'),
      never: texts(4, 'secrets of which none is in the answer; they appear in no output'),
      matches: {
        type: 'string',
        minLength: 1,
        maxLength: 2000,
        description: 'a regular expression that the text of the answer matches',
      },
      artifact: {
        type: 'string',
        pattern: '^[^/\\s]+/[^/\\s]+$',
        description: 'media type of a part of an artifact, such as text/plain or image/*',
      },
      data: {
        type: ['object', 'boolean'],
        description: 'JSON Schema that structured data of the answer fits',
      },
      within: {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: 3600,
        description: 'seconds to the end of the answer, at most',
      },
      first: {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: 3600,
        description: 'seconds to the first event of a stream, at most',
      },
      runs: {
        type: 'integer',
        minimum: 1,
        maximum: 100,
        description: 'how often it is asked; 1 if left out',
      },
      least: {
        type: 'integer',
        minimum: 1,
        maximum: 100,
        description: 'how often it must hold; each time if left out',
      },
    },
  },
  prompt: { ...definitions['behaviour'], minLength: 1 },
};
