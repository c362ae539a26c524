import { expecting, expectingParts } from './expecting.js';
import { groups, optionsIn } from './index.js';
import type { Option } from './shared/option.js';
import { definitions as ofSteering, type Schema, objects as steered } from './steering.js';

const objects: Readonly<Record<string, Schema>> = { ...steered, expect: expecting };
const definitions = { ...ofSteering, ...expectingParts };

/** The default in words: that of a run, where a campaign of the fuzzer has another. */
export const usualOf = ({ usual }: Option): string | undefined => (typeof usual === 'object' ? usual.run : usual);

/** Values that have a form of their own, such as `<host:address>`, and those with a unit. */
const formOf = ({ value = '' }: Option): string =>
  /[:=[|/]|^<(ms|seconds)>$/.test(value) ? `${value.replace(/^<(.*)>$/, '$1')}: ` : '';

/** Help of an option in a file. */
export function helpInFile(option: Option): string {
  const { kind, help, inFile } = option;
  if (inFile !== undefined) return inFile;
  const usual = usualOf(option);
  const several = kind.is === 'texts' || kind.is === 'list' ? 'a text or a list of texts: ' : '';
  return `${several}${formOf(option)}${help}${usual === undefined ? '' : ` (default: ${usual})`}`;
}

const counted = (description: string): Schema => ({ type: 'integer', minimum: 0, description });

/** The schema of a value in a file, by its kind. */
function valueSchema(name: string, { kind }: Option): Schema {
  switch (kind.is) {
    case 'flag':
      return { type: 'boolean' };
    case 'text': {
      const { pattern, mayBeEmpty = false } = kind;
      return { type: 'string', ...(pattern !== undefined ? { pattern } : mayBeEmpty ? {} : { minLength: 1 }) };
    }
    case 'texts':
    case 'list':
      return { type: ['string', 'array'], items: { type: 'string', minLength: 1 } };
    case 'integer':
      return { type: 'integer', minimum: kind.least, maximum: kind.most };
    case 'percent':
      return { type: 'number', minimum: 0, maximum: 100 };
    case 'choice':
      return { enum: kind.of };
    case 'budget': {
      const properties = { requests: counted('requests to the agent'), tasks: counted('tasks that may be created') };
      return { type: 'object', additionalProperties: false, properties };
    }
    case 'rate':
      return { type: ['integer', 'string'], minimum: 1, maximum: 100_000, pattern: '^[1-9][0-9]{0,5}(/[smh])?$' };
    case 'amount':
      return { type: ['string', 'integer'], pattern: '^[0-9]+$', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
    case 'object': {
      const schema = objects[name];
      if (schema === undefined) throw new Error(`steering.ts has no schema of ${name}`);
      return schema;
    }
  }
}

const draft = 'https://json-schema.org/draft/2020-12/schema';
const own = { $schema: { type: 'string', description: 'this schema, for editors' } };

function members(place: 'config' | 'fleet'): Readonly<Record<string, Schema>> {
  const ofFuzzer = Object.values(groups.fuzz.options);
  return Object.fromEntries(
    [...optionsIn(place)].map(([name, option]) => {
      const whose = ofFuzzer.includes(option) ? ', of a2a-tck fuzz' : '';
      return [name, { ...valueSchema(name, option), description: `${helpInFile(option)}${whose}` }];
    }),
  );
}

/** Schema of a configuration file. */
export const configSchema = (): object => ({
  $schema: draft,
  $id: 'a2a-tck:///schemas/kit/config.schema.json',
  title: 'a2a-tck.config.yaml or .json',
  description: 'The options of a2a-tck run by the same names; arguments win over it.',
  type: 'object',
  additionalProperties: false,
  properties: { ...own, ...members('config') },
  $defs: definitions,
});

/** Schema of the targets file of `fleet`. */
export function fleetSchema(): object {
  const known = members('fleet');
  const { url, ...shared } = Object.fromEntries(
    Object.keys(known).map((name) => [name, { $ref: `#/$defs/${name}` } satisfies Schema]),
  );
  return {
    $schema: draft,
    $id: 'a2a-tck:///schemas/kit/fleet.schema.json',
    title: 'targets of a2a-tck fleet, YAML or JSON',
    description: 'Agents that are judged one beside the other, with the options of a2a-tck run for each.',
    type: 'object',
    required: ['targets'],
    additionalProperties: false,
    properties: {
      ...own,
      defaults: {
        type: 'object',
        description: 'options of all targets; what a target says itself wins; four checks in flight by default',
        additionalProperties: false,
        properties: shared,
      },
      targets: {
        type: 'array',
        description: 'the agents',
        minItems: 1,
        maxItems: 1000,
        items: {
          type: 'object',
          required: ['name', 'url'],
          additionalProperties: false,
          properties: {
            name: { type: 'string', minLength: 1, maxLength: 200, description: 'what the overview calls it' },
            url,
            ...shared,
          },
        },
      },
    },
    $defs: { ...known, ...definitions },
  };
}
