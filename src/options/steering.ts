import type { Behaviours } from '../kit/index.js';

/** Part of a JSON Schema. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly $ref?: string;
  readonly description?: string;
}

/** Each is said with "words at which ". */
const goals = {
  completed: 'the agent finishes at once',
  failed: 'it ends failed',
  rejected: 'it rejects the task',
  canceled: 'it cancels the task by itself',
  'input-required': 'it asks, and waits',
  'auth-required': 'it asks for authorization, and waits',
  working: 'it works long enough to be canceled',
  message: 'it answers with a message and no task',
  'artifact-text': 'it gives an artifact with text',
  'artifact-file': 'it gives a file with its bytes',
  'artifact-file-uri': 'it gives a file by its URI',
  'artifact-data': 'it gives structured data',
  'streamed-chunks': 'it streams an artifact in several pieces',
  'long-running': 'it works for some seconds with progress on the way',
} satisfies Readonly<Record<keyof Behaviours, string>>;

const said = ([goal, about]: readonly [string, string]): readonly [string, Schema] => [
  goal,
  { $ref: '#/$defs/behaviour', description: `words at which ${about}` },
];

/** Schemas of the options that are objects, by name. */
export const objects: Readonly<Record<string, Schema>> = {
  behaviours: {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(Object.entries(goals).map(said)),
  },
};

const text = (description: string): Schema => ({ type: 'string', description });

/** Parts of schemas to which the rows above refer. */
export const definitions: Readonly<Record<string, Schema>> = {
  behaviour: {
    type: ['string', 'object'],
    description: 'a text, or an object with text, parts or metadata',
    additionalProperties: false,
    properties: {
      text: text('what is said'),
      parts: {
        type: 'array',
        items: { $ref: '#/$defs/part' },
        minItems: 1,
        description: 'parts of the message, in place of text',
      },
      metadata: { type: 'object', description: 'metadata of the message' },
    },
  },
  part: {
    type: 'object',
    required: ['kind'],
    properties: {
      kind: { enum: ['text', 'file', 'data'], description: 'which of text, bytes or uri, and data it has' },
      text: text('of a text part'),
      bytes: text('base64'),
      uri: text('where the file is'),
      name: text('of the file'),
      mediaType: text('of the file'),
      data: { description: 'any JSON' },
      metadata: { type: 'object', description: 'of the part' },
    },
    additionalProperties: false,
  },
};
