import { readFileSync } from 'node:fs';
import { Command, type Option } from 'commander';
import { expect, test } from 'vitest';
import { deedsOf } from './config.js';
import { addFuzzOptions, addRunOptions } from './run-options.js';

// The file knows what the command line knows: no option is forgotten, and editors can say what each is for.

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}
const schema = JSON.parse(readFileSync('schemas/kit/config.schema.json', 'utf8')) as Schema & {
  readonly $defs: Readonly<Record<string, Schema>>;
};
const properties = schema.properties ?? {};

/**
 * Arguments that a file must not have: it would name itself, or show a key to all its readers. `pack` is `packs` there.
 */
const argumentsOnly = ['config', 'no-config', 'xpr-key', 'x402-key', 'replay', 'pack', 'replay-tape'];
/** What no argument can say. */
const fileOnly = ['$schema', 'behaviours', 'expect', 'packs'];

const nameOf = (option: Option): string => (option.long ?? '').replace('--', '');
const commands = [addRunOptions(new Command().option('--url <url>')), addFuzzOptions(new Command())];
const options: readonly Option[] = [
  ...new Map(commands.flatMap((command) => command.options).map((option) => [nameOf(option), option])).values(),
];

test('file and command line have the same options', () => {
  const inFile = Object.keys(properties).filter((name) => !fileOnly.includes(name));
  expect(inFile.sort()).toEqual(
    options
      .map(nameOf)
      .filter((name) => !argumentsOnly.includes(name))
      .sort(),
  );
});

test('of the same kind: flags, lists, choices', () => {
  for (const option of options.filter((option) => !argumentsOnly.includes(nameOf(option)))) {
    const name = nameOf(option);
    const { type, enum: choices } = properties[name] ?? {};
    const isFlag = !option.required && !option.optional;
    expect([name, type === 'boolean']).toEqual([name, isFlag]);
    const isList = /repeatable|comma list/.test(option.description);
    expect([name, Array.isArray(type) && type.includes('array')]).toEqual([name, isList]);
    expect([name, choices]).toEqual([name, option.argChoices]);
  }
});

test('every member says what it is for', () => {
  const silent = (schema: Schema, path: string): readonly string[] => [
    ...(schema.description === undefined ? [path] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => silent(inner, `${path}.${name}`)),
  ];
  const parts = Object.entries(schema.$defs).flatMap(([name, schema]) =>
    Object.entries(schema.properties ?? {}).map(([member, inner]) => [`${name}.${member}`, inner] as const),
  );
  expect([...silent(schema, ''), ...parts.flatMap(([path, schema]) => silent(schema, path))]).toEqual([]);
});

/** What only chooses, times or steers checks, or names a place whose use another member asks for. */
const harmless = [
  ...['url', 'profile', 'binding', 'suite', 'check', 'level', 'strict', 'min-proof', 'json', 'badge-link', 'fail-fast'],
  ...['baseline', 'set', 'seed', 'timeout', 'max-time', 'concurrency', 'fuzz-runs', 'runs', 'time', 'rate', 'unguided'],
  ...['confirm', 'budget', 'shard', 'read-only', 'oauth-scope', 'webhook', 'webhook-url', 'slow', 'verbose'],
  ...[
    'behaviours',
    'expect',
    'dry-run',
    'xpr-digest',
    'xpr-audience',
    'xpr-chain-id',
    'xpr-rpc',
    'xpr-rate',
    'xpr-allow-send',
  ],
  ...['xpr-min-kyc', 'xpr-min-trust', 'xpr-stub', 'x402-message', 'x402-max-amount', 'x402-max-total', 'x402-timeout'],
  ...['x402-stub', 'wait', '$schema', 'pack-option'],
];

test('the kit says what a found file does beside choosing checks', () => {
  const camel = (name: string) => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const silent = Object.keys(properties).filter((name) => {
    const deeds = deedsOf({ [camel(name)]: name === 'report' ? ['json=a.json'] : 'x' });
    return deeds.length === 0;
  });
  expect(silent.sort()).toEqual([...harmless].sort());
  expect(
    deedsOf({ restartCommand: 'x', bearerEnv: 'A', header: ['B: c'], report: ['console'], insecure: false }),
  ).toEqual(['runs commands: restart-command', 'sends credentials: header, bearer-env']);
});
