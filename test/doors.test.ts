import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

// The rooms and their doors: who may import whom. A side door or a circle is a defect of the design, not of a file.

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The packs that ship with the kit. */
const bundled = ['xpr', 'x402'];

/** The rooms of a pack; one need not have them all. */
const roomsOf = (pack: string): readonly string[] => [
  `packs/${pack}`,
  ...['agent', 'clients', 'documents', 'faults', 'fuzz', 'options', 'payments', 'run', 'shared', 'signing'].map(
    (room) => `packs/${pack}/${room}`,
  ),
];

/** Room to the rooms that it may enter; every room may read data. */
const mayEnter: Readonly<Record<string, readonly string[]>> = {
  suites: ['src/kit', 'suites/shared', 'packs'],
  'suites/shared': ['src/kit'],
  // The list of the packs that ship with the kit: the only room from which others reach them.
  packs: ['src/model', 'src/wire', 'src/dialect', 'src/kit', 'src/reference', 'src/run', ...bundled.flatMap(roomsOf)],
  'packs/xpr': ['src/kit', 'suites/shared', 'packs/xpr/signing', 'packs/xpr/shared'],
  'packs/xpr/signing': ['src/model'],
  'packs/xpr/shared': ['src/kit', 'src/dialect', 'packs/xpr/signing'],
  'packs/xpr/run': [
    'src/model',
    'src/wire',
    'src/dialect',
    'src/client',
    'src/kit',
    'src/run',
    'packs/xpr',
    'packs/xpr/fuzz',
    'packs/xpr/signing',
    'packs/xpr/shared',
  ],
  'packs/xpr/agent': ['src/model', 'src/wire', 'src/dialect', 'src/reference', 'packs/xpr/signing', 'packs/xpr/run'],
  'packs/xpr/clients': [
    'src/model',
    'src/wire',
    'src/dialect',
    'src/kit',
    'src/reference',
    'suites/shared',
    'fixtures/clients/shared',
    'packs/xpr/signing',
    'packs/xpr/agent',
  ],
  'packs/xpr/fuzz': ['src/model', 'src/wire', 'src/client', 'src/ledger', 'src/kit', 'src/fuzz', 'packs/xpr/signing'],
  'packs/xpr/options': ['src/model', 'src/options/shared', 'packs/xpr/run'],
  'packs/xpr/faults': [
    'src/model',
    'src/wire',
    'src/signing',
    'src/reference',
    'fixtures/faults/shared',
    'packs/xpr/signing',
    'packs/xpr/agent',
  ],
  'packs/x402': ['src/kit', 'suites/shared', 'packs/x402/payments', 'packs/x402/shared'],
  'packs/x402/payments': ['src/model'],
  'packs/x402/shared': ['src/model', 'src/wire', 'src/client', 'src/ledger', 'src/kit', 'packs/x402/payments'],
  'packs/x402/run': [
    'src/model',
    'src/wire',
    'src/ledger',
    'src/report',
    'src/run',
    'packs/x402',
    'packs/x402/fuzz',
    'packs/x402/payments',
    'packs/x402/shared',
  ],
  'packs/x402/agent': [
    'src/model',
    'src/wire',
    'src/dialect',
    'src/reference',
    'src/run',
    'packs/x402/payments',
    'packs/x402/run',
  ],
  'packs/x402/clients': [
    'src/model',
    'src/wire',
    'src/dialect',
    'src/ledger',
    'src/kit',
    'src/reference',
    'fixtures/clients/shared',
    'packs/x402/payments',
    'packs/x402/agent',
  ],
  'packs/x402/documents': ['src/model', 'src/kit', 'packs/x402/payments', 'packs/x402/shared'],
  'packs/x402/fuzz': ['src/model', 'src/ledger', 'src/fuzz', 'packs/x402/payments'],
  'packs/x402/options': ['src/model', 'src/dialect', 'src/options/shared', 'packs/x402/payments', 'packs/x402/run'],
  'packs/x402/faults': [
    'src/model',
    'src/wire',
    'src/reference',
    'fixtures/faults/shared',
    'packs/x402/payments',
    'packs/x402/agent',
  ],
  'fixtures/clients/shared': ['src/model', 'src/wire', 'src/dialect', 'src/ledger', 'src/kit'],
  'fixtures/faults/shared': ['src/model', 'src/wire', 'src/binding', 'src/dialect', 'src/ledger', 'src/reference'],
  reporters: ['src/report', 'src/wire'],
  'src/report': ['src/model', 'src/wire', 'src/files'],
  'src/files': ['src/model'],
  'src/model': [],
  'src/wire': ['src/model'],
  'src/grpc': ['src/model'],
  'src/binding': ['src/model', 'src/grpc'],
  'src/dialect': ['src/model', 'src/binding'],
  'src/signing': ['src/model'],
  'src/options': ['src/model', 'src/kit', 'src/expect', 'src/options/shared', 'packs', 'reporters'],
  'src/options/shared': ['src/model', 'src/kit', 'src/expect'],
  'src/ledger': ['src/model'],
  'src/client': ['src/model', 'src/wire', 'src/binding', 'src/dialect', 'src/signing'],
  'src/kit': ['src/model', 'src/wire', 'src/binding', 'src/dialect', 'src/signing', 'src/client', 'src/ledger'],
  'src/run': [
    'src/report',
    'src/model',
    'src/wire',
    'src/binding',
    'src/dialect',
    'src/signing',
    'src/client',
    'src/ledger',
    'src/kit',
  ],
  'src/clients': [
    'packs',
    'src/report',
    'src/model',
    'src/wire',
    'src/binding',
    'src/dialect',
    'src/ledger',
    'src/kit',
    'src/run',
    'src/reference',
  ],
  'fixtures/faults': [
    'packs',
    'src/model',
    'src/wire',
    'src/binding',
    'src/dialect',
    'src/signing',
    'src/ledger',
    'src/reference',
    'fixtures/faults/shared',
  ],
  'fixtures/clients': [
    'packs',
    'fixtures/clients/shared',
    'src/model',
    'src/wire',
    'src/binding',
    'src/dialect',
    'src/signing',
    'src/ledger',
    'src/kit',
    'src/clients',
  ],
  'src/document': [
    'packs',
    'src/report',
    'src/model',
    'src/wire',
    'src/dialect',
    'src/signing',
    'src/ledger',
    'src/kit',
    'src/run',
  ],
  'src/fuzz': [
    'src/report',
    'src/model',
    'src/wire',
    'src/binding',
    'src/dialect',
    'src/client',
    'src/ledger',
    'src/kit',
    'src/run',
  ],
  'src/expect': ['src/model', 'src/wire', 'src/client', 'src/kit', 'src/run', 'src/report'],
  'src/pack': ['packs', 'src/model', 'src/dialect', 'src/ledger', 'src/kit', 'src/reference'],
  'src/endpoint': [
    'packs',
    'src/pack',
    'src/report',
    'src/expect',
    'suites',
    'src/model',
    'src/wire',
    'src/client',
    'src/ledger',
    'src/kit',
    'src/run',
    'src/fuzz',
  ],
  'src/isolation': ['src/model', 'src/wire', 'src/report', 'src/endpoint'],
  'src/adapters': [
    'packs',
    'src',
    'suites',
    'src/model',
    'src/wire',
    'src/dialect',
    'src/ledger',
    'src/report',
    'src/run',
  ],
  'src/fleet': ['src/model', 'src/wire', 'src/report', 'reporters'],
  'src/setup': ['src/model', 'src/wire', 'src/run', 'packs'],
  'src/sdks': ['src/model', 'src/wire', 'src/report', 'src/dialect', 'src/ledger', 'reporters'],
  'src/attest': ['src/model', 'src/signing', 'src/report'],
  'src/reference': ['src/model', 'src/wire', 'src/binding', 'src/dialect', 'src/signing', 'src/ledger'],
  'src/proof': [
    'packs',
    'src/report',
    'src/files',
    'src/model',
    'src/wire',
    'src/dialect',
    'src/ledger',
    'src/kit',
    'src/run',
    'src/binding',
    'src/fuzz',
    'src/reference',
    'src/clients',
    'fixtures/clients',
    'fixtures/faults',
  ],
};

/** Doors besides `index.ts`: heavy parts that are loaded only when used, generated names, and what the help needs. */
const otherDoors = new Set([
  'src/model/binding-id.ts',
  'src/wire/http.ts',
  'src/reference/patching.ts',
  'src/ledger/schemas.ts',
  'src/ledger/generated.ts',
  'src/fuzz/extending.ts',
  'suites/kit.ts',
  'packs/api.ts',
  'packs/clients.ts',
  'packs/documents.ts',
  'packs/options.ts',
  'packs/proofs.ts',
  'packs/rules.ts',
  'packs/scenarios.ts',
  'packs/settings.ts',
  'packs/x402/clients/faults.ts',
  'packs/x402/clients/rules.ts',
  'packs/x402/clients/scenarios.ts',
  'packs/x402/clients/wallet.ts',
  'packs/x402/faults/fuzz.ts',
  'packs/x402/options/read.ts',
  'packs/x402/options/rows.ts',
  'packs/x402/payments/purse.ts',
  'packs/xpr/clients/faults.ts',
  'packs/xpr/clients/rules.ts',
  'packs/xpr/clients/scenarios.ts',
  'packs/xpr/clients/sign.ts',
  'packs/xpr/faults/allowances.ts',
  'packs/xpr/faults/fuzz.ts',
  'packs/xpr/faults/presets.ts',
  'packs/xpr/options/read.ts',
  'packs/xpr/options/rows.ts',
]);

function sources(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** What a chapter shares with others, and the parts of a pack: the pack itself is a room of checks. */
const innerRooms = [
  'src/options/shared',
  'suites/shared',
  'fixtures/faults/shared',
  'fixtures/clients/shared',
  ...bundled.flatMap((pack) => roomsOf(pack).filter((room) => room !== `packs/${pack}`)),
];

const roomOf = (file: string): string => {
  const inner = innerRooms.find((room) => file.startsWith(`${room}/`));
  if (inner !== undefined) return inner;
  const [first = '', second = ''] = file.split('/');
  if (first === 'packs' && second.endsWith('.ts')) return first;
  if (first === 'fixtures' || first === 'packs') return `${first}/${second}`;
  if (first !== 'src') return first;
  return second.endsWith('.ts') ? 'src' : `src/${second}`;
};

interface Entry {
  readonly from: string;
  readonly to: string;
}

const entries: readonly Entry[] = ['src', 'suites', 'packs', 'reporters', 'fixtures']
  .flatMap(sources)
  .flatMap((from) => {
    const text = readFileSync(join(root, from), 'utf8');
    const imports = text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g);
    return [...imports].map(([, path = '']) => ({
      from,
      to: relative(root, resolve(root, dirname(from), path)).replace(/\.js$/, '.ts'),
    }));
  });

test('there are imports to look at', () => {
  expect(entries.length).toBeGreaterThan(100);
});

test('every import goes to the own room, or through the door of a room that may be entered', () => {
  const wrong = entries.filter(({ from, to }) => {
    const own = roomOf(from);
    const other = roomOf(to);
    // The command line and the programmatic door put everything together.
    if (own === other || own === 'src/cli' || own === 'src') return false;
    if (!(mayEnter[own] ?? []).includes(other)) return true;
    return !to.endsWith('/index.ts') && !otherDoors.has(to) && !/(^|\/)shared\//.test(to);
  });
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test('no file of the kit imports a pack that ships with it, but for the list of them', () => {
  const wrong = entries.filter(({ from, to }) => /^packs\/[^/]+\//.test(to) && !from.startsWith('packs/'));
  expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test('rooms form no circle', () => {
  const rooms = new Map<string, Set<string>>();
  for (const { from, to } of entries) {
    const own = roomOf(from);
    if (own === roomOf(to)) continue;
    rooms.set(own, (rooms.get(own) ?? new Set()).add(roomOf(to)));
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean => {
    for (const next of rooms.get(from) ?? []) {
      if (next === to) return true;
      if (!seen.has(next) && reaches(next, to, seen.add(next))) return true;
    }
    return false;
  };
  expect([...rooms.keys()].filter((room) => reaches(room, room))).toEqual([]);
});

test('files form no circle, types included', () => {
  const next = new Map<string, string[]>();
  for (const { from, to } of entries) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
    if (done.has(file) || path.includes(file)) return;
    for (const text of next.get(file) ?? []) visit(text, [...path, file]);
    done.add(file);
  };
  for (const file of next.keys()) visit(file, []);
  expect(circles).toEqual([]);
});

test('no suite asks for a dialect, a version or a binding', () => {
  const asking = ['suites', 'packs']
    .flatMap(sources)
    .filter((file) => /^(suites|packs\/[^/]+)(\/shared)?$/.test(roomOf(file)))
    .filter((file) =>
      /dialect\.(id|title|ledger|schemas)|(protocolVersion|profile|transport|binding\.id)\s*[!=]==\s*'/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
    );
  expect(asking).toEqual([]);
});

test('no file asks URL.canParse, which Node 20 gets wrong', () => {
  const asking = ['src', 'suites', 'packs', 'reporters']
    .flatMap(sources)
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('URL.canParse('));
  expect(asking).toEqual([]);
});

/** Files of the core that name a pack, and why. */
const namingPayments: Readonly<Record<string, string>> = {
  'src/ledger/generated.ts': 'the keys of all rows, and the scenarios of all packs, as types',
  'src/cli/config-schema.test.ts': 'every option of the table stands in a file',
  'src/cli/results-options.test.ts': 'a wallet does not go together with shards',
  'src/setup/setup.test.ts': 'what init writes for a card that claims payments',
};

test('no other file of the core names the pack of payments', () => {
  const naming = ['src', 'suites', 'reporters', 'fixtures']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => /x402/i.test(readFileSync(join(root, file), 'utf8')));
  expect(naming.sort()).toEqual(Object.keys(namingPayments).sort());
});
