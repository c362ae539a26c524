import type { Schema } from './steering.js';

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
          {
            enum: [
              'message',
              'submitted',
              'working',
              'input-required',
              'auth-required',
              'completed',
              'canceled',
              'failed',
              'rejected',
              'unknown',
            ],
          },
          {
            type: 'array',
            minItems: 1,
            items: {
              enum: [
                'message',
                'submitted',
                'working',
                'input-required',
                'auth-required',
                'completed',
                'canceled',
                'failed',
                'rejected',
                'unknown',
              ],
            },
          },
        ],
        description: 'state of the answer, or a list of which one is right; message: a message and no task',
      },
      contains: {
        type: ['string', 'array'],
        items: {
          type: 'string',
          minLength: 1,
        },
        minLength: 1,
        minItems: 1,
        description: 'texts that are all in the answer, in any case',
      },
      lacks: {
        type: ['string', 'array'],
        items: {
          type: 'string',
          minLength: 1,
        },
        minLength: 1,
        minItems: 1,
        description: 'texts of which none is in the answer, in any case',
      },
      never: {
        type: ['string', 'array'],
        items: {
          type: 'string',
          minLength: 4,
        },
        minLength: 4,
        minItems: 1,
        description: 'secrets of which none is in the answer; they appear in no output',
      },
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
  prompt: {
    type: ['string', 'object'],
    description: 'a text, or an object with text, parts or metadata',
    additionalProperties: false,
    properties: {
      text: {
        type: 'string',
        description: 'what is said',
      },
      parts: {
        type: 'array',
        items: {
          $ref: '#/$defs/part',
        },
        minItems: 1,
        description: 'parts of the message, in place of text',
      },
      metadata: {
        type: 'object',
        description: 'metadata of the message',
      },
    },
    minLength: 1,
  },
};
