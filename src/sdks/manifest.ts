import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { schemaErrorText, TckError } from '../model/index.js';

/** A program and its arguments, with placeholders. */
export type Command = readonly string[];

/** `targets/<id>/target.yaml`, see `targets/target.schema.json`. */
export interface Manifest {
  readonly id: string;
  readonly role: 'server' | 'client';
  readonly language: 'python' | 'go' | 'rust' | 'java' | 'javascript';
  readonly package: string;
  readonly version: string;
  readonly what?: string;
  readonly licence: string;
  readonly needs: readonly string[];
  /** Copied to the folder of the build; left out: all of the target's folder. */
  readonly files?: readonly string[];
  readonly fetch?: readonly Command[];
  readonly build?: readonly Command[];
  readonly start: Command;
  readonly env?: Readonly<Record<string, string>>;
  readonly wait?: number;
  readonly card?: string;
  readonly profiles: readonly string[];
  readonly options?: readonly string[];
  readonly prompts?: Readonly<Record<string, string>>;
}

/** A failure of a target that a person has judged. */
export interface ExpectedFailure {
  readonly check: string;
  readonly over?: readonly string[];
  readonly level: 'must' | 'should';
  readonly judged: true | 'unclear';
  readonly sentence: string;
  readonly wire: string;
  readonly why?: string;
  readonly report?: string;
  readonly 'comes-and-goes'?: true;
  /** Worth telling the authors: a draft of a report is made of it. */
  readonly tell?: true;
}

/** A fault of a target that the kit does not report. */
export interface Missed {
  readonly check?: string;
  readonly over?: readonly string[];
  readonly sentence: string;
  readonly wire: string;
  readonly why: string;
}

/** `targets/<id>/expected.yaml`, see `targets/expected.schema.json`. */
export interface Expected {
  readonly of: string;
  readonly failures: readonly ExpectedFailure[];
  readonly missed?: readonly Missed[];
}

/** A folder of `targets/`. */
export interface Target {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly expected: Expected;
  /** Whether there is an `expected.yaml`. */
  readonly isJudged: boolean;
}

/** "a2a-go v2.4.0, its layer of 0.3": the package, its version, and which part of it. */
export const nameOf = ({ package: name, version, what }: Manifest): string =>
  `${name} ${version}${what === undefined ? '' : `, ${what}`}`;

const words = { whole: 'the file', member: 'member' };

function validator(folder: string, name: string): ValidateFunction {
  const schema = JSON.parse(readFileSync(join(folder, `${name}.schema.json`), 'utf8')) as object;
  return new Ajv2020({ allErrors: true }).compile(schema);
}

function readYaml(file: string, isValid: ValidateFunction): unknown {
  let value: unknown;
  try {
    value = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new TckError('config', `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (isValid(value)) return value;
  const lines = (isValid.errors ?? []).map((error) => `${file}: ${schemaErrorText(error, words)}`);
  throw new TckError('config', lines.join('\n'));
}

/** What the schema cannot say. */
function defectsOf({ id, profiles, role }: Manifest, { failures, missed = [] }: Expected, name: string): string[] {
  const prefix = role === 'client' ? 'client-' : 'a2a-';
  const keys = failures.flatMap((failure) => idsOf(failure, profiles));
  return [
    ...(id === name ? [] : [`id is ${id}, and the folder is ${name}`]),
    ...profiles
      .filter((profile) => !profile.startsWith(prefix))
      .map((profile) => `the profile ${profile} is not one of a ${role}`),
    ...[...failures, ...missed]
      .flatMap(({ over = [] }) => over)
      .filter((text) => !profiles.includes(text))
      .map((text) => `expected.yaml names the profile ${text}, which the target does not have`),
    ...keys.filter((key, at) => keys.indexOf(key) !== at).map((key) => `expected.yaml has ${key} twice`),
  ];
}

/** The ids that a report has for an entry: those of the first profile have no label. */
export const idsOf = (
  { check, over }: { readonly check: string; readonly over?: readonly string[] },
  profiles: readonly string[],
): readonly string[] =>
  (over ?? profiles.slice(0, 1)).map((profile) => (profile === profiles[0] ? check : `${check}@${profile}`));

/** Reads every folder with a `target.yaml`, in the order of names. Throws `TckError('config')` with every defect. */
export function readTargets(folder: string): readonly Target[] {
  const isManifest = validator(folder, 'target');
  const isExpected = validator(folder, 'expected');
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'target.yaml')));
  return names.sort().map((name) => {
    const own = join(folder, name);
    const manifest = readYaml(join(own, 'target.yaml'), isManifest) as Manifest;
    const file = join(own, 'expected.yaml');
    const none: Expected = { of: nameOf(manifest), failures: [] };
    const isJudged = existsSync(file);
    const expected = isJudged ? (readYaml(file, isExpected) as Expected) : none;
    const defects = defectsOf(manifest, expected, name);
    if (defects.length > 0) throw new TckError('config', defects.map((defect) => `${own}: ${defect}`).join('\n'));
    return { folder: own, manifest, expected, isJudged };
  });
}
