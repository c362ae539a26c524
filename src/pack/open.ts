import { charging } from '../../packs/options.js';
import { dialects } from '../dialect/index.js';
import type { Rule } from '../kit/index.js';
import { type Ledger, ledgerOf, loadLedger, type Requirement, type RequirementKey } from '../ledger/index.js';
import { isObject, isString, type Level, strings, suggestion, TckError } from '../model/index.js';
import type { Patch } from '../reference/patching.js';
import { ofPublished } from './agent.js';
import {
  apiVersion,
  type Pack,
  type PackDefinition,
  type PackFault,
  type PackRow,
  type PackVariant,
} from './define.js';

/** A pack that runs and proofs can use. */
export interface OpenPack {
  readonly name: string;
  readonly version: string;
  /** Its rows; they apply to cards that claim what the pack asks for. */
  readonly ledger: Ledger;
  readonly rules: readonly Rule[];
  readonly agent: Patch;
  readonly faults: readonly (Omit<PackFault, 'patch'> & { readonly patch: Patch })[];
  readonly variants: readonly (Omit<PackVariant, 'patch'> & { readonly patch: Patch })[];
}

/** The values of options of packs by `<pack>.<name>`. */
export type OptionValues = Readonly<Record<string, string>>;

/** What the user sets. */
export interface Given {
  readonly options: OptionValues;
  readonly secrets: OptionValues;
}

const isName = (name: unknown): name is string => isString(name) && /^[a-z][a-z0-9-]{0,40}$/.test(name);

/** The defect of a definition that the compiler cannot see in a pack that is JavaScript; undefined: none. */
function defectOf(given: unknown): string | undefined {
  if (!isObject(given)) return 'definePack needs an object';
  const { name, version, rows, rules, faults, variants = [], options = {}, extension, unless, agent } = given;
  if (!isName(name)) return 'its name must be small letters, digits and hyphens, a letter first';
  if (!isString(version)) return 'it has no version';
  const hasUris = extension !== undefined && strings([extension].flat()).length > 0;
  if (hasUris === (typeof unless === 'function'))
    return 'it must have one of extension (a URI, or several) and unless (a function)';
  if (!Array.isArray(rows)) return 'its rows must be a list';
  const row = rows.find((row) => !isRow(row));
  if (row !== undefined) return `one of its rows is wrong: ${String(isObject(row) ? row['id'] : row)}`;
  if (!Array.isArray(rules) && typeof rules !== 'function') return 'its rules must be a list or a function';
  if (typeof agent !== 'function') return 'its agent must be a patch of the reference agent';
  for (const [what, list] of Object.entries({ faults, variants })) {
    if (
      !Array.isArray(list) ||
      !list.every((item) => isObject(item) && isString(item['id']) && isString(item['about']))
    )
      return `its ${what} must be a list, each with id and about`;
    if (!list.every((item) => typeof item.patch === 'function')) return `one of its ${what} has no patch`;
  }
  if (!isObject(options) || !Object.values(options).every((item) => isObject(item) && isString(item['about'])))
    return 'each of its options must say what it is about';
  return undefined;
}

const isRow = (row: unknown): boolean =>
  isObject(row) &&
  ['id', 'key', 'section', 'statement', 'observe'].every((name) => isString(row[name])) &&
  /^[A-Z][A-Z0-9]*-[A-Z0-9-]+$/.test(String(row['id'])) &&
  ['MUST', 'SHOULD', 'MAY'].includes(String(row['level']));

/** What the kit and earlier packs have. */
export interface Taken {
  readonly checks: Set<string>;
  readonly keys: Set<string>;
  readonly rows: Set<string>;
}

/** `rules`: those of the kit. */
export function takenBy(rules: readonly Rule[]): Taken {
  const ledgers = [...new Set([...dialects.map(({ ledger }) => ledger), charging.ledger])].map(loadLedger);
  const rows = ledgers.flatMap((ledger) => ledger.rows);
  return {
    checks: new Set(rules.map(({ id }) => id)),
    keys: new Set(rows.flatMap(({ key }) => key ?? [])),
    rows: new Set(rows.map(({ id }) => id)),
  };
}

/** What would be there twice, or has not the name of the pack; undefined: nothing. `taken` grows. */
function collision(
  { name, rows }: Pick<PackDefinition, 'name' | 'rows'>,
  rules: readonly Rule[],
  taken: Taken,
): string | undefined {
  const claim = (what: string, set: Set<string>, id: string, start: string): string | undefined => {
    if (set.has(id)) return `it redefines the ${what} ${id}`;
    set.add(id);
    return id.startsWith(start) ? undefined : `its ${what} ${id} must begin with ${start}`;
  };
  for (const { id, key } of rows) {
    const why = claim('requirement', taken.rows, id, '') ?? claim('requirement key', taken.keys, key, `${name}.`);
    if (why !== undefined) return why;
  }
  const suites = new Set([...taken.checks].map((id) => id.split('/', 1)[0]));
  for (const { id } of rules) {
    const why = claim('check', taken.checks, id, `${name}/`);
    if (why !== undefined) return why;
  }
  return suites.has(name) ? `the kit or another pack has a suite ${name} already` : undefined;
}

const uriOf = (extension: PackDefinition['extension']): readonly string[] => strings([extension ?? []].flat());

function claimOf({ extension, unless }: PackDefinition): NonNullable<Requirement['claim']> {
  if (unless !== undefined) return unless;
  const uris = uriOf(extension);
  return ({ capabilities }) =>
    capabilities.extensions.some(({ uri }) => uris.includes(uri))
      ? undefined
      : `the card does not declare the extension ${uris.join(' or ')}`;
}

const requirement = (
  { key, level, ...row }: PackRow,
  claim: NonNullable<Requirement['claim']>,
  document: string,
): Requirement => ({
  ...row,
  key: key as RequirementKey,
  level: level.toLowerCase() as Level,
  sections: undefined,
  needs: [],
  unobservable: undefined,
  uncovered: undefined,
  ambiguity: undefined,
  since: undefined,
  binding: undefined,
  document,
  claim,
});

/** Throws `TckError('usage')` for options that the pack has not declared, and secrets in the place of other values. */
function valuesOf({ name: pack, options = {} }: PackDefinition, given: Given): ReadonlyMap<string, string> {
  const own = (all: OptionValues) =>
    Object.entries(all).flatMap(([fullName, value]) =>
      fullName.startsWith(`${pack}.`) ? [[fullName.slice(pack.length + 1), value] as const] : [],
    );
  const values = new Map(
    Object.entries(options).flatMap(([option, { usual }]) => (usual === undefined ? [] : [[option, usual]])),
  );
  for (const [kind, list] of [
    ['option', own(given.options)],
    ['secret', own(given.secrets)],
  ] as const)
    for (const [option, value] of list) {
      const names = Object.keys(options);
      if (!Object.hasOwn(options, option))
        throw new TckError(
          'usage',
          `the pack ${pack} has no option ${pack}.${option}`,
          suggestion(option, names, names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`),
        );
      if (kind === 'option' && options[option]?.secret === true)
        throw new TckError(
          'usage',
          `${pack}.${option} is a secret`,
          `give the variable that holds it: --pack-secret-env ${pack}.${option}=<variable>`,
        );
      values.set(option, value);
    }
  return values;
}

/**
 * Judges a pack, and reads its rules with the options of the user. Throws `TckError('config')`, one sentence, for a
 * pack that cannot be used, and `TckError('usage')` for options that it does not have.
 */
export function openPack({ definition }: Pack, packName: string, given: Given, taken: Taken): OpenPack {
  const fail = (why: string, hint?: string): never => {
    throw new TckError('config', `the pack ${packName} cannot be used: ${why}`, hint);
  };
  const { api } = isObject(definition) ? definition : { api: apiVersion };
  if (api !== apiVersion)
    fail(
      `it asks for version ${String(api)} of the pack API, and this a2a-tck has version ${apiVersion}`,
      Number(api) > apiVersion ? 'update a2a-tck' : 'ask its author for a later version of the pack',
    );
  const defect = defectOf(definition);
  if (defect !== undefined) fail(defect);
  const { name, version, rows, rules, options = {}, agent, faults, variants = [] } = definition;
  const values = valuesOf(definition, given);
  const option = (wanted: string): string | undefined => {
    if (!Object.hasOwn(options, wanted)) fail(`it wants the option ${wanted}, which it does not declare`);
    return values.get(wanted);
  };
  let made: readonly Rule[] = [];
  try {
    made = typeof rules === 'function' ? rules({ option }) : rules;
  } catch (error) {
    if (error instanceof TckError) throw error;
    fail(`its rules throw ${nameAndMessage(error)}`);
  }
  const other = made.find((rule) => !isObject(rule) || !['check', 'law'].includes(String(rule.kind)));
  if (other !== undefined) fail('one of its rules is made by neither check, law nor conforms');
  const twice = collision(definition, made, taken);
  if (twice !== undefined) fail(twice);
  const own = new Set(rows.map(({ key }) => key));
  for (const { id, keys } of made)
    for (const key of keys) if (!own.has(key)) fail(`its check ${id} cites ${key}, which is none of its rows`);
  for (const { id, breaks } of faults)
    if (!breaks?.some((key) => own.has(key))) fail(`its fault ${id} breaks none of its rows`);
  const claim = claimOf(definition);
  return {
    name,
    version,
    ledger: ledgerOf(
      rows.map((row) => requirement(row, claim, name)),
      { id: name, version, vocabulary: {} },
    ),
    rules: made,
    agent: ofPublished(agent),
    faults: faults.map((fault) => ({ ...fault, patch: ofPublished(fault.patch) })),
    variants: variants.map((variant) => ({ ...variant, patch: ofPublished(variant.patch) })),
  };
}

/** "TypeError: x is not a function": one line, at most 300 characters. */
export const nameAndMessage = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).split('\n', 1)[0]?.slice(0, 300) ?? '';
