import { charging } from '../../../packs/options.js';
import type { Dialect } from '../../dialect/index.js';
import type { AnyRule } from '../../kit/index.js';
import type { Ledger } from '../../ledger/index.js';
import { suggestion } from '../../model/nearest.js';
import { TckError } from '../../model/tck-error.js';
import type { Breaking } from '../../proof/index.js';
import type { CoverageCount, RowCoverage } from '../../run/index.js';
import { plural } from '../../wire/text/text.js';
import type { PackOptions } from '../credentials.js';
import { table } from '../table.js';
import type { Terminal } from '../terminal.js';
import { listExpectations } from './list-expectations.js';

export interface ListArguments extends Pick<PackOptions, 'pack'> {
  readonly json?: boolean;
  readonly profile?: string;
  /** Lists what is about payments, which are the same in all profiles that have them. */
  readonly charges?: boolean;
  /** Lists what is about clients. */
  readonly clients?: boolean;
  /** The configuration of `expectations`; false: none. */
  readonly config?: string | false;
}

/** The ledger whose rows are listed. */
interface Listed {
  /** For people: a profile, or payments. */
  readonly id: string;
  readonly ledger: Ledger;
  readonly rules: readonly AnyRule[];
  /** What proves them. */
  readonly faults: readonly Breaking[];
}

/** One list: a document for programs, a table with a footer for people. */
interface Listing {
  readonly document: unknown;
  readonly rows: readonly (readonly string[])[];
  /** What the row at a place belongs to; left out: the rows are one table. */
  readonly groupOf?: (at: number) => string;
  readonly footer: string;
}

const kinds = [
  'checks',
  'requirements',
  'sets',
  'faults',
  'fuzz-faults',
  'variants',
  'impostors',
  'presets',
  'profiles',
  'suites',
  'scenarios',
  'client-faults',
  'odd-clients',
  'expectations',
] as const;
export type ListKind = (typeof kinds)[number];

async function planned({ ledger, rules }: Listed) {
  const { planAll } = await import('../../run/index.js');
  return planAll(rules, ledger);
}

/** The rows and rules of agents of a profile, of payments, or of clients of a profile. */
async function listedFor(given: ListArguments): Promise<Listed> {
  const { profile, charges = false, clients = false } = given;
  const { chosenDialect, namedPacks } = await import('../named.js');
  const { loadLedger } = await import('../../ledger/index.js');
  const dialect = chosenDialect(profile);
  if (clients) {
    const { clientLedger, clientProfileOf } = await import('../../clients/profile.js');
    const { clientRules } = await import('../../../suites/clients/index.js');
    const id = clientProfileOf(dialect);
    if (id === undefined) throw new TckError('usage', `no checks of clients exist for ${dialect.id}`);
    const { clientFaults } = await import('../../../fixtures/clients/index.js');
    return { id, ledger: clientLedger(dialect), rules: clientRules, faults: clientFaults };
  }
  const [pack, ...packs] = await namedPacks(given.pack);
  if (pack !== undefined) {
    const { overlaid } = await import('../../ledger/index.js');
    const all = [pack, ...packs];
    return {
      id: `the ${all.length === 1 ? 'pack' : 'packs'} ${all.map(({ name }) => name).join(', ')}`,
      ledger: overlaid(pack.ledger, ...packs.map(({ ledger }) => ledger)),
      rules: all.flatMap(({ rules }) => rules),
      faults: all.flatMap(({ faults }) => faults),
    };
  }
  const { rules } = await import('../../../suites/index.js');
  const { faults } = await import('../../../fixtures/faults/index.js');
  return charges
    ? { id: 'payments', ledger: loadLedger(charging.ledger), rules, faults }
    : { id: dialect.id, ledger: loadLedger(dialect.ledger), rules, faults };
}

const suiteOf = (id: string): string => id.slice(0, id.indexOf('/'));

async function listChecks(dialect: Listed): Promise<Listing & { readonly document: readonly unknown[] }> {
  const { expectationOf } = await import('../../kit/index.js');
  const { killersOf, storedKills, writtenProof } = await import('../../proof/index.js');
  const all = await planned(dialect);
  const kills = storedKills();
  const killersIn = killersOf(dialect.faults, kills);
  const changeOf = (id: string): readonly string[] => {
    const { [id]: change } = kills.laws;
    return change === undefined ? [] : [writtenProof(change)];
  };
  return {
    document: all.map(({ rule, level, title, rows }) => ({
      id: rule.id,
      suite: suiteOf(rule.id),
      kind: rule.kind,
      level,
      title,
      requirements: rows.map((row) => row.id),
      killedBy: [...killersIn(rule).map(({ fault }) => fault), ...changeOf(rule.id)],
    })),
    rows: all.map(({ rule, level }) => [`  ${level}`, rule.id, expectationOf(rule)]),
    groupOf: (at) => suiteOf(all[at]?.rule.id ?? ''),
    footer: `${plural(all.length, 'check')} of ${dialect.id}; a2a-tck explain <check-id> says more`,
  };
}

/** The checks of every profile, each once: what a run may have before the agent is detected. */
async function listAllChecks(given: ListArguments): Promise<Listing> {
  const { dialects } = await import('../../dialect/index.js');
  const { rules } = await import('../../../suites/index.js');
  const byId = new Map<string, { readonly row: readonly string[]; readonly document: unknown }>();
  for (const { id } of dialects) {
    const { rows, document } = await listChecks(await listedFor({ ...given, profile: id }));
    for (const [at, row] of rows.entries()) {
      const [, check = ''] = row;
      if (!byId.has(check)) byId.set(check, { row, document: document[at] });
    }
  }
  // By suite, whichever profile has them.
  const all = rules.flatMap(({ id }) => byId.get(id) ?? []);
  return {
    document: all.map((item) => item.document),
    rows: all.map(({ row }) => row),
    groupOf: (at) => suiteOf(all[at]?.row[1] ?? ''),
    footer: `${plural(all.length, 'check')} of all profiles; a2a-tck explain <check-id> says more`,
  };
}

async function listSuites(dialect: Listed): Promise<Listing> {
  const all = await planned(dialect);
  const suites = [...new Set(all.map(({ rule }) => suiteOf(rule.id)))].map((id) => ({
    id,
    checks: all.filter(({ rule }) => suiteOf(rule.id) === id).length,
  }));
  return {
    document: suites,
    rows: suites.map(({ id, checks }) => [id, plural(checks, 'check')]),
    footer: `${plural(suites.length, 'suite')} of ${dialect.id}; --suite <name> runs one`,
  };
}

/** Before the statement: why no check decides it; empty where one does. */
function coveredWord({ row, covered }: RowCoverage): string {
  if (covered) return '';
  return row.unobservable === undefined ? '[no check] ' : '[not observable] ';
}

const share = ({ covered, observable, rows, percent }: CoverageCount): string =>
  `${covered} of ${observable} observable covered (${percent} %), ${rows - observable} of ${rows} cannot be seen from outside`;

async function listRequirements(dialect: Listed): Promise<Listing> {
  const { coverage } = await import('../../run/index.js');
  const { rows, areas, levels } = coverage(dialect.rules, dialect.ledger);
  return {
    document: {
      profile: dialect.id,
      ledger: dialect.ledger.id,
      coverage: {
        levels: levels.map(({ level, count }) => ({ level, ...count })),
        areas: areas.map(({ area, level, count }) => ({ area, level, ...count })),
      },
      requirements: rows.map(({ row, area, checks, covered }) => ({
        id: row.id,
        ...(row.key === undefined ? {} : { key: row.key }),
        level: row.level,
        area,
        section: row.section,
        statement: row.statement,
        observable: row.unobservable === undefined,
        ...(row.unobservable === undefined ? {} : { reason: row.unobservable }),
        checks,
        covered,
        ...(row.uncovered === undefined ? {} : { uncovered: row.uncovered }),
        ...(row.ambiguity === undefined ? {} : { ambiguity: row.ambiguity }),
      })),
    },
    rows: rows.map((row) => [`  ${row.row.level}`, row.row.id, `${coveredWord(row)}${row.row.statement}`]),
    groupOf: (at) => rows[at]?.area ?? '',
    footer: levels.map(({ level, count }) => `${level.toUpperCase().padEnd(6)} ${share(count)}`).join('\n'),
  };
}

const isAboutPayments = (item: object): boolean =>
  ('charges' in item && item.charges === true) ||
  ('breaks' in item && Array.isArray(item.breaks) && String(item.breaks[0]).startsWith(`${charging.pack}.`));

async function listReference(
  kind: 'faults' | 'variants' | 'impostors' | 'presets',
  dialect: Dialect | undefined,
  charges = false,
): Promise<Listing> {
  const reference = {
    ...(await import('../../reference/index.js')),
    ...(await import('../../../fixtures/faults/index.js')),
  };
  const { isFor } = await import('../../dialect/index.js');
  const found =
    kind === 'variants' || kind === 'impostors'
      ? reference[kind].filter((item) => !dialect || isFor(item, dialect))
      : reference[kind];
  const all = charges ? found.filter(isAboutPayments) : found;
  return {
    document: all.map((item) => ({
      id: item.id,
      about: item.about,
      ...('faults' in item ? { profile: item.profile, faults: item.faults } : {}),
      ...('breaks' in item ? { breaks: item.breaks } : {}),
      ...('on' in item && item.on !== undefined ? { on: item.on } : {}),
      ...('profiles' in item && item.profiles !== undefined ? { profiles: item.profiles } : {}),
    })),
    rows: all.map(({ id, about }) => [id, about]),
    footer: `${all.length} ${kind}; a2a-tck serve --${kind.slice(0, -1)} <id> puts one on a port`,
  };
}

/** Faults that only the fuzzer is to find. */
async function listFuzzFaults(): Promise<Listing> {
  const { fuzzFaults } = await import('../../../fixtures/faults/index.js');
  return {
    document: fuzzFaults.map(({ patch: _, ...rest }) => rest),
    rows: fuzzFaults.map(({ id, about }) => [id, about]),
    footer: `${plural(fuzzFaults.length, 'fault')} for the fuzzer; a2a-tck serve --fault <id> puts one on a port`,
  };
}

/** Situations that are played with clients. */
async function listScenarios(dialect: Dialect | undefined): Promise<Listing> {
  const { scenarios } = await import('../../clients/index.js');
  const { isFor } = await import('../../dialect/index.js');
  const all = scenarios.filter((scenario) => dialect === undefined || isFor(scenario, dialect));
  return {
    document: all.map(({ id, about }) => ({ id, about })),
    rows: all.map(({ id, about }) => [id, about]),
    footer: `${plural(all.length, 'scenario')}; a2a-tck client --command "…" --scenario <id> plays one`,
  };
}

/** Faults of the reference client, and clients that are odd and break nothing. */
async function listClients(kind: 'client-faults' | 'odd-clients'): Promise<Listing> {
  const all =
    kind === 'client-faults'
      ? (await import('../../../fixtures/clients/faults/index.js')).clientFaults
      : (await import('../../../fixtures/clients/odd.js')).oddClients;
  return {
    document: all.map(({ patch: _, ...rest }) => rest),
    rows: all.map(({ id, about }) => [id, about]),
    footer:
      kind === 'client-faults'
        ? `${plural(all.length, 'fault')} of clients; a2a-tck client --demo --fault <id> shows one`
        : `${plural(all.length, 'odd client')} that break nothing`,
  };
}

async function listProfiles(): Promise<Listing> {
  const { dialects } = await import('../../dialect/index.js');
  const all = [{ id: 'auto', title: 'what the agent speaks is detected' }, ...dialects];
  return {
    document: dialects.map(({ id, title, ledger }) => ({ id, title, requirements: ledger })),
    rows: all.map(({ id, title }) => [id, title]),
    footer: '--profile <id> takes one',
  };
}

async function listSets(): Promise<Listing> {
  const { setIds } = await import('../../ledger/index.js');
  const all = setIds();
  return {
    document: all.map((id) => ({ id })),
    rows: all.map((id) => [id]),
    footer: '--set <id> keeps a gate to the checks of one; docs/sets.md says how',
  };
}

/** A table with a heading where another group begins, and the number of its rows. */
function grouped(text: string, groupOf: (at: number) => string): string {
  const lines = text.trimEnd().split('\n');
  const sizes = new Map<string, number>();
  for (const at of lines.keys()) sizes.set(groupOf(at), (sizes.get(groupOf(at)) ?? 0) + 1);
  return lines
    .map((line, at) => {
      const name = groupOf(at);
      const isNew = at === 0 || groupOf(at - 1) !== name;
      return `${isNew ? `${at === 0 ? '' : '\n'}${name} (${sizes.get(name)})\n` : ''}${line}\n`;
    })
    .join('');
}

export async function listCommand(kind: string, given: ListArguments, terminal: Terminal): Promise<number> {
  const { json = false, profile, charges = false, clients = false } = given;
  const { namedDialect } = await import('../named.js');
  const listings: { readonly [Kind in ListKind]: () => Promise<Listing> } = {
    checks: async () =>
      profile === 'auto' && !charges && !clients ? listAllChecks(given) : listChecks(await listedFor(given)),
    requirements: async () => listRequirements(await listedFor(given)),
    sets: listSets,
    faults: () => listReference('faults', undefined, charges),
    'fuzz-faults': listFuzzFaults,
    variants: () => listReference('variants', namedDialect(profile), charges),
    impostors: () => listReference('impostors', namedDialect(profile)),
    presets: () => listReference('presets', undefined),
    profiles: listProfiles,
    suites: async () => listSuites(await listedFor(given)),
    scenarios: () => listScenarios(namedDialect(profile)),
    'client-faults': () => listClients('client-faults'),
    'odd-clients': () => listClients('odd-clients'),
    expectations: () => listExpectations(given.config, terminal),
  };
  const known = kinds.find((text) => text === kind);
  if (known === undefined) {
    throw new TckError('usage', `unknown list ${kind}`, suggestion(kind, kinds, `lists: ${kinds.join(', ')}`));
  }
  const { document, rows, groupOf, footer } = await listings[known]();
  if (json) terminal.out(`${JSON.stringify(document, undefined, 2)}\n`);
  else {
    const text = table(rows, terminal.isTTY ? terminal.columns : undefined);
    terminal.out(`${groupOf === undefined ? text : grouped(text, groupOf)}\n${footer}\n`);
  }
  return 0;
}
