import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject } from '../model/index.js';
import { bounded } from './bounded.js';
import { demandsOf, type Expectation, listOf } from './expectation.js';

// Expectations that cannot hold, or cannot be judged, are errors of who wrote them, and not of the agent.

/** What is wrong with a list of expectations, and where. */
export interface ExpectationDefect {
  /** From the list: "0", "matches". */
  readonly path: readonly string[];
  readonly text: string;
}

export const newAjv = (): Ajv2020 => new Ajv2020({ strict: false, validateFormats: false });

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const pairs = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
] as const;

const listIn = (schema: Readonly<Record<string, unknown>>, name: string): readonly unknown[] | undefined => {
  const value = schema[name];
  return Array.isArray(value) ? value : undefined;
};

/** Whether a schema is seen to refuse every value; one that does so in a way that is harder to see is not found. */
export function refusesAll(schema: unknown): boolean {
  if (schema === false) return true;
  if (!isObject(schema)) return false;
  const { not } = schema;
  if (not === true || (isObject(not) && Object.keys(not).length === 0)) return true;
  const { type } = schema;
  const isOnly = (name: string): boolean => type === name;
  const isCrossed = pairs.some(([least, most], at) => {
    const [low, high] = [schema[least], schema[most]];
    const kinds = [['number', 'integer'], ['string'], ['array'], ['object']][at] ?? [];
    return typeof low === 'number' && typeof high === 'number' && low > high && kinds.some(isOnly);
  });
  const needed = listIn(schema, 'required') ?? [];
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  const lacksMember = isOnly('object') && needed.some((name) => refusesAll(properties[String(name)]));
  const values = 'const' in schema ? [schema['const']] : listIn(schema, 'enum');
  const all = listIn(schema, 'allOf') ?? [];
  const choices = [listIn(schema, 'anyOf'), listIn(schema, 'oneOf')];
  return (
    isCrossed ||
    lacksMember ||
    all.some(refusesAll) ||
    choices.some((list) => list?.every(refusesAll) === true) ||
    values?.every((value) => !newAjv().compile(schema)(value)) === true
  );
}

function ofSchema(data: unknown): string | undefined {
  try {
    return bounded(() => {
      newAjv().compile(data as object);
      return refusesAll(data);
    })
      ? 'the schema refuses every value'
      : undefined;
  } catch (error) {
    return `no valid JSON Schema: ${textOf(error)}`;
  }
}

function ofPattern(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return textOf(error);
  }
}

/** Everything that is wrong with expectations of the right shape. */
export function defectsOf(list: readonly Expectation[]): readonly ExpectationDefect[] {
  const secrets = list.flatMap(({ never }) => listOf(never)).map((secret) => secret.toLowerCase());
  return list.flatMap((expectation, at) => {
    const { name, matches, data, runs = 1, least = runs } = expectation;
    const wrong = (member: string, text: string | undefined): readonly ExpectationDefect[] =>
      text === undefined ? [] : [{ path: [String(at), member], text: `expectation ${at + 1}: ${text}` }];
    // Test runners show names, and results are found by them.
    const isShown = secrets.some((secret) => name.toLowerCase().includes(secret));
    const isTwice = list.findIndex((other) => other.name === name) < at;
    return [
      ...wrong('name', isTwice ? 'another one has the same name' : undefined),
      ...wrong('name', isShown ? 'its name shows a text of never' : undefined),
      ...wrong(
        'name',
        demandsOf({ ...expectation, runs: 1 }).length === 0 ? 'it says nothing that must hold' : undefined,
      ),
      ...wrong('matches', matches === undefined ? undefined : ofPattern(matches)),
      ...wrong('data', data === undefined ? undefined : ofSchema(data)),
      ...wrong('least', least > runs ? `it shall hold ${least} times, and is asked ${runs} times` : undefined),
    ];
  });
}
