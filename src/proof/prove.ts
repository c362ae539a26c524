import { faults as allFaults, variants as allVariants } from '../../fixtures/faults/index.js';
import { charging } from '../../packs/options.js';
import { bundledTelling } from '../../packs/proofs.js';
import { type Dialect, isFor } from '../dialect/index.js';
import type { AnyRule, Rule } from '../kit/index.js';
import { type Ledger, loadLedger, type RequirementKey } from '../ledger/index.js';
import { impostors as allImpostors, type Impostor, type Patch, type Variant } from '../reference/index.js';
import { glob, type Planned, planAll } from '../run/index.js';
import { allowances } from './allowances.js';
import type { Cast, Role, Row } from './cell.js';
import { type Breaking, type Expectation, expectations, mayProve, storedProof } from './kills.js';
import { ownChanges, type Tasks } from './mutants.js';
import { playRoles, type Stage } from './stage.js';
import { type LawProof, pairOf, readKills, readLawProofs } from './stored.js';

export interface FaultProof {
  readonly id: string;
  /** Checks that fail on the faulty agent and do not fail on the same agent without the fault. */
  readonly kills: readonly string[];
  /** Those that caught it in the stored proof, and decide what it breaks. */
  readonly expected: readonly string[];
  /** The fault changed no byte of any answer. */
  readonly void: boolean;
}

/** The output of `prove --json`. */
export interface Proof {
  readonly profile: string;
  readonly clean: {
    readonly fail: readonly string[];
    readonly error: readonly string[];
    readonly pass: readonly string[];
  };
  readonly faults: readonly FaultProof[];
  readonly variants: readonly { readonly id: string; readonly fail: readonly string[] }[];
  readonly impostors: readonly { readonly id: string; readonly pass: readonly string[] }[];
  readonly checks: readonly { readonly id: string; readonly killedBy: readonly string[] }[];
  /** The laws that were seen to fail by a change to a recorded answer. */
  readonly laws: readonly LawProof[];
  /** Changes that laws list, and whether each made its law fail; undefined: a quick proof. */
  readonly listed?: Readonly<Record<string, boolean>>;
  /** Agents of the profile that were left out. */
  readonly skipped: readonly string[];
  /** The checks that ran on agents, as `pairOf` names them; undefined: all on all. */
  readonly pairs?: ReadonlySet<string>;
  /** Everything that keeps the proof from being perfect, one line each; empty: exit 0. */
  readonly problems: readonly string[];
  /** The number of verdicts. */
  readonly cells: number;
  readonly durationMs: number;
}

export interface ProofOptions {
  readonly dialect: Dialect;
  readonly rules: readonly Rule[];
  /**
   * A pack to prove in place of the kit: its rows, and what makes the reference agent one that it is about. Its rules,
   * faults and variants are given as such.
   */
  readonly pack?: NonNullable<Cast['packs']>[number] & { readonly agent: Patch };
  /** Runs the checks of payments, on agents that charge, instead of all others. */
  readonly charges?: boolean;
  /**
   * A quick proof: pairs named here (by `pairOf`) do not run again, and on a fault only the checks that caught it in
   * the stored proof run, or all checks if one of those does not fail. A rule that only earlier pairs prove is not a
   * problem.
   */
  readonly played?: ReadonlySet<string>;
  /** Only checks whose ids match one of these patterns; a quick proof only. Left out: all. */
  readonly only?: readonly string[];
  /** Folder of the stored proof; left out: that of the sources. */
  readonly stored?: string;
  /** Replace those of the package, in tests. */
  readonly faults?: Cast['faults'];
  readonly variants?: readonly Variant[];
  readonly impostors?: readonly Impostor[];
  /** Threads with the cast of the package; left out: this thread. */
  readonly stage?: Stage;
  /** Called after each agent, for progress. */
  readonly onCell?: (done: number, of: number) => void;
}

/** All checks × all faults, variants and impostors of one dialect. Never throws for what an agent does. */
export async function prove(options: ProofOptions): Promise<Proof> {
  const started = performance.now();
  const { dialect, rules, stage, charges = false, played, only } = options;
  const all = planAll(rules, ledgerOf(options));
  const planned = all.filter(isIn(only));
  const fits = (item: Cast['faults'][number] | Variant | Impostor) => isFor(item, dialect);
  const variants = (options.variants ?? allVariants).filter(
    (variant) => fits(variant) && (variant.charges ?? false) === charges,
  );
  const faults = faultsOf(options, all).filter(
    (fault) => fits(fault) && (fault.on === undefined || variants.some(({ id }) => id === fault.on)),
  );
  const impostors = (options.impostors ?? allImpostors).filter(fits);
  const { pack } = options;
  const ofPack = pack === undefined ? {} : { packs: [pack], base: [pack.agent] };
  const cast: Cast = { dialect, rules, faults, variants, impostors, charges, ...ofPack };
  const name =
    pack !== undefined ? `${pack.name} on ${dialect.id}` : charges ? `${dialect.id}-${charging.pack}` : dialect.id;
  // The kit does not store the proof of a pack.
  const kills = pack === undefined ? readKills(options.stored ?? storedProof, name) : new Map();
  const expected = expectations(
    kills,
    planned.map(({ rule }) => rule),
    faults,
    all.flatMap((plannedRule) => (isIn(only)(plannedRule) ? [] : [plannedRule.rule])),
  );
  const whole: readonly Role[] = [
    { type: 'clean' },
    ...cast.variants.map(({ id }) => ({ type: 'variant', id }) as const),
    ...cast.faults.map(({ id }) => ({ type: 'fault', id }) as const),
    ...cast.impostors.map(({ id }) => ({ type: 'impostor', id }) as const),
  ];
  const roles =
    played === undefined && only === undefined
      ? whole
      : whole.flatMap((role) => narrowed(role, planned, expected, played ?? new Set(), only !== undefined));
  let done = 0;
  const playAll = (some: readonly Role[]): Promise<readonly Row[]> =>
    playRoles(cast, some, stage, () => options.onCell?.(++done, Math.max(done, roles.length)));
  const isOverlooked = ({ role, fail }: Row): boolean =>
    role.type === 'fault' &&
    role.checks !== undefined &&
    expectedOf(role, expected).some((id) => !Object.hasOwn(fail, id));
  const lawIds = planned.flatMap(({ rule }) => (rule.kind === 'law' ? [rule.id] : []));
  const stored = pack === undefined ? readLawProofs(options.stored ?? storedProof, name) : [];
  const lawProofs = stored.filter(({ law }) => lawIds.includes(law));
  // A law that faults were seen to fail is not searched for again.
  const isKnown = new Set([...lawProofs.map(({ law }) => law), ...[...kills.values()].flat()]);
  const unknown = lawIds.filter((id) => !isKnown.has(id));
  // A quick proof does not have the answers on which each could show.
  const own = played === undefined ? ownOf(planned) : [];
  const isLater = ({ type }: Role): boolean => type === 'variant' && unknown.length + own.length > 0;
  let rows = await playAll(
    roles
      .filter((role) => !isLater(role))
      .map((role) => withTasks(role, lawProofs, { search: unknown, own }, only !== undefined)),
  );
  // The clean agent proves nearly every law: only for what is left, variants are searched.
  const shown = rows.find(({ role }) => role.type === 'clean')?.shown;
  const left = {
    search: unknown.filter((law) => !Object.hasOwn(shown?.found ?? {}, law)),
    own: own.filter((text) => shown?.own[text] !== true),
  };
  rows = [...rows, ...(await playAll(roles.filter(isLater).map((role) => withTasks(role, lawProofs, left, false))))];
  // Some faults show only in requests of other checks: of a few that bring most of them about, then of all.
  for (const more of [besides, (role: Role) => whole.find((item) => idOf(item) === idOf(role)) ?? role]) {
    const overlooked = rows.filter(isOverlooked);
    if (overlooked.length === 0) break;
    const again = await playAll(overlooked.map(({ role }) => more(role)));
    rows = [...rows.filter((row) => !isOverlooked(row)), ...again];
  }
  const clean = 'the clean agent';
  const about: Weighed = {
    name,
    clean,
    cast,
    planned,
    expected,
    lawProofs,
    isQuick: played !== undefined,
    isAllowed,
  };
  return weigh(about, rows, performance.now() - started);
}

/** Checks whose requests show nearly every fault that laws are about. */
const telling = [
  'auth/every-operation',
  'card/extended-not-configured',
  'card/extended-unsupported',
  'data/file-kept',
  'data/link-kept',
  'extension/activation-echoed',
  'message/blocking',
  'message/context-id-kept',
  'push/any-blocking',
  'push/id-kept',
  'rpc/bad-input',
  'rpc/empty-body',
  'stream/immediate',
  'stream/implemented',
  'stream/non-blocking',
  'task/cancel-again',
  ...bundledTelling,
];
const besides = (role: Role): Role => ({ ...role, beside: telling });

/** The role with what to do with its recorded answers. `isPart`: the laws need the answers to other checks. */
function withTasks(
  role: Role,
  known: readonly LawProof[],
  unknown: Required<Pick<Tasks, 'search' | 'own'>>,
  isPart: boolean,
): Role {
  if (role.type !== 'clean' && role.type !== 'variant') return role;
  const here = (law: string): boolean => role.checks?.includes(law) ?? true;
  const stored = known.filter(({ law, agent }) => agent === idOf(role) && here(law));
  const search = unknown.search.filter(here);
  const { own } = unknown;
  if (stored.length + search.length + own.length === 0) return role;
  const replay = Object.fromEntries(stored.map(({ law, change }) => [law, change]));
  const tasks: Tasks = { replay, search, own };
  return { ...role, tasks, ...(isPart && role.type === 'clean' ? { beside: telling } : {}) };
}

/** The changes that the laws list beside themselves. */
const ownOf = (planned: readonly Planned<AnyRule>[]): readonly string[] =>
  planned.flatMap(({ rule }) => (rule.kind === 'law' ? ownChanges(rule).map(([name]) => name) : []));

/** What rows are weighed against. */
export interface Weighed {
  readonly name: string;
  /** "the clean agent" */
  readonly clean: string;
  readonly cast: {
    readonly faults: readonly (Breaking & { readonly on?: string | undefined })[];
    readonly variants: readonly { readonly id: string }[];
    readonly impostors: readonly { readonly id: string }[];
  };
  readonly planned: readonly Planned<AnyRule>[];
  readonly isQuick: boolean;
  readonly expected: Expected;
  /** The stored proofs of laws. */
  readonly lawProofs: readonly LawProof[];
  /** Whether an impostor may pass a check. */
  isAllowed(impostor: string, check: string): boolean;
}

const idOf = (role: Role): string => (role.type === 'clean' ? 'clean' : role.id);

/** What is expected of each fault. */
export type Expected = ReadonlyMap<string, Expectation>;

const expectedOf = (role: Role, expected: Expected): readonly string[] => expected.get(idOf(role))?.all ?? [];

const checksOf = ({ checks }: Role, planned: readonly Planned<AnyRule>[]): readonly string[] =>
  checks ?? planned.map(({ rule }) => rule.id);

/** What runs on the agent or client, as `pairOf` names it. */
export const pairsOf = (role: Role, planned: readonly Planned<AnyRule>[]): readonly string[] =>
  checksOf(role, planned).map((check) => pairOf(check, idOf(role)));

/** Whether a check is one of those to prove. */
export const isIn = (only: readonly string[] | undefined): ((item: Pick<Planned<AnyRule>, 'rule'>) => boolean) => {
  const patterns = only?.map(glob);
  return ({ rule }) => patterns?.some((pattern) => pattern.test(rule.id)) ?? true;
};

/**
 * The role with those of its checks that were not played before; an empty list if none is left. The clean agent keeps
 * all planned checks.
 * @param isPart more checks exist than are planned
 */
export function narrowed(
  role: Role,
  planned: readonly Planned<AnyRule>[],
  expected: Expected,
  played: ReadonlySet<string>,
  isPart = false,
): readonly Role[] {
  if (role.type === 'clean') return [isPart ? { ...role, checks: planned.map(({ rule }) => rule.id) } : role];
  const wanted = role.type === 'fault' ? expectedOf(role, expected) : planned.map(({ rule }) => rule.id);
  const checks = wanted.filter((id) => !played.has(pairOf(id, role.id)));
  // A fault that is new need be caught in one profile only.
  const isCaughtBefore = role.type === 'fault' && expected.get(role.id)?.isNew && checks.length < wanted.length;
  if (isCaughtBefore) return [];
  if (checks.length === 0) return [];
  return [checks.length === planned.length && !isPart ? role : { ...role, checks }];
}

/** The requirement rows that the proof is about. */
const ledgerOf = ({ dialect, charges, pack }: Pick<ProofOptions, 'dialect' | 'charges' | 'pack'>): Ledger =>
  pack?.ledger ?? loadLedger(charges === true ? charging.ledger : dialect.ledger);

/** The faults that can be seen in this version: they break a sentence that one of its checks decides. */
function faultsOf(options: ProofOptions, planned: readonly Planned[]): Cast['faults'] {
  const { faults } = options;
  if (faults !== undefined) return faults;
  return allFaults.filter((fault) => isSeen(fault, planned, ledgerOf(options)));
}

/** Whether a fault breaks a sentence of this version that a check decides. */
export function isSeen(
  { breaks }: Breaking,
  planned: readonly Planned<AnyRule>[],
  ledger: Pick<Ledger, 'row'>,
): boolean {
  const here = breaks.filter((key) => ledger.row(key as RequirementKey) !== undefined);
  return planned.some(({ rule }) => mayProve({ breaks: here }, rule));
}

/** Compares the rows of all agents, or clients. */
export function weigh(about: Weighed, rows: readonly Row[], durationMs: number): Proof {
  const { name, cast, planned, expected, isQuick } = about;
  const of = (type: Role['type']) => rows.filter((row) => row.role.type === type);
  const [clean] = of('clean');
  if (clean === undefined) throw new Error(`no checks ran on ${about.clean}`);
  const played = new Map(rows.map((row) => [idOf(row.role), row]));
  const skipped = [...cast.variants, ...cast.faults, ...cast.impostors]
    .map(({ id }) => id)
    .filter((id) => !played.has(id));
  const bases = new Map(cast.faults.map((fault) => [fault.id, played.get(fault.on ?? '') ?? clean]));
  const faults = of('fault').map(({ role, fail, answers }): FaultProof => {
    const base = bases.get(idOf(role)) ?? clean;
    const set = checksOf(role, planned);
    return {
      id: idOf(role),
      kills: Object.keys(fail).filter((id) => !Object.hasOwn(base.fail, id)),
      expected: expected.get(idOf(role))?.known.filter((id) => set.includes(id)) ?? [],
      // Answers can be compared only if the same checks ran.
      void: set.length === planned.length && base.answers === answers,
    };
  });
  const breaking = new Map(cast.faults.map((fault) => [fault.id, fault]));
  const proves = ({ id, kills }: FaultProof, { rule }: Planned<AnyRule>): boolean =>
    kills.includes(rule.id) && mayProve(breaking.get(id) ?? { breaks: [] }, rule);
  const killers = new Map(
    planned.map((plannedRule) => [
      plannedRule.rule.id,
      faults.filter((fault) => proves(fault, plannedRule)).map(({ id }) => id),
    ]),
  );
  const pairs = new Set(rows.flatMap(({ role }) => pairsOf(role, planned)));
  const laws = lawsOf(about, rows);
  return {
    profile: name,
    clean: { fail: Object.keys(clean.fail), error: Object.keys(clean.error), pass: clean.pass },
    faults,
    variants: of('variant').map(({ role, fail }) => ({ id: idOf(role), fail: Object.keys(fail) })),
    impostors: of('impostor').map(({ role, pass }) => ({ id: idOf(role), pass })),
    checks: [...killers].map(([id, killedBy]) => ({ id, killedBy })),
    laws: laws.proven,
    skipped,
    ...(isQuick ? { pairs } : {}),
    problems: [
      ...rows.flatMap((row) => agentProblems(row, idOf(row.role), about)),
      ...faults.flatMap((fault) => faultProblems(fault, about, killers, pairs)),
      ...laws.problems,
      ...checkProblems(about, killers, pairs, laws.settled),
    ],
    ...(isQuick ? {} : { listed: listedIn(planned, rows) }),
    cells: pairs.size,
    durationMs: Math.round(durationMs),
  };
}

/** Problems that need no comparison: errors of the kit, right agents that fail, impostors that pass. */
function agentProblems(row: Row, id: string, about: Weighed): readonly string[] {
  const who = row.role.type === 'clean' ? about.clean : `${row.role.type} ${id}`;
  const errors = Object.entries(row.error).map(([check, why]) => `check ${check} ends in an error on ${who}: ${why}`);
  const crashes = row.crashes.map((crash) => `${who} crashes: ${crash}`);
  const wrong =
    row.role.type === 'clean' || row.role.type === 'variant'
      ? Object.entries(row.fail).map(([check, why]) => `${who} fails ${check}: ${why}`)
      : [];
  const fooled =
    row.role.type === 'impostor'
      ? row.pass.filter((check) => !about.isAllowed(id, check)).map((check) => `${who} passes ${check}`)
      : [];
  // Who fails nothing, and passes only what has a reason, must still be unproven.
  const green = row.role.type === 'impostor' && row.isGreen ? [`${who} passes the gate`] : [];
  const unshown = row.unshown.map((check) => `check ${check} names no exchange that shows its failure on ${who}`);
  return [...errors, ...crashes, ...wrong, ...fooled, ...green, ...unshown];
}

function faultProblems(
  { id, kills, expected: known, ...fault }: FaultProof,
  { expected }: Weighed,
  killers: ReadonlyMap<string, readonly string[]>,
  pairs: ReadonlySet<string>,
): readonly string[] {
  const { all = [], isPart = false } = expected.get(id) ?? {};
  // A quick proof plays a part of them.
  const isWhole = !isPart && all.every((check) => pairs.has(pairOf(check, id)));
  const isKilled = [...killers.values()].some((ids) => ids.includes(id));
  return [
    ...(fault.void ? [`fault ${id} is void: it changed no byte on the wire`] : []),
    ...(isWhole && !isKilled ? [`fault ${id} is killed by no check of what it breaks`] : []),
    ...known
      .filter((check) => !kills.includes(check))
      .map((check) => `fault ${id} survives ${check}, which caught it in the stored proof`),
  ];
}

interface LawProofs {
  readonly proven: readonly LawProof[];
  /** Proven laws, and those whose stored proof was not tried. */
  readonly settled: ReadonlySet<string>;
  readonly problems: readonly string[];
}

/** What changes to recorded answers have shown, against what they showed in the stored proof. */
function lawsOf({ lawProofs, cast }: Weighed, rows: readonly Row[]): LawProofs {
  const played = new Map(rows.map((row) => [idOf(row.role), row]));
  const came = lawProofs.map((stored) => {
    const row = played.get(stored.agent);
    const replayed = row?.shown?.replayed[stored.law];
    // Fewer checks bring fewer answers, and others than the stored change is about: any change will do.
    const isPart = row?.role.checks !== undefined;
    const isFound = row?.shown !== undefined && Object.hasOwn(row.shown.found, stored.law);
    return {
      stored,
      isKilled: replayed === 'killed' || (isPart && isFound),
      isTried: replayed !== undefined && !(isPart && replayed === 'absent'),
    };
  });
  const isHeld = new Set(came.flatMap(({ stored, isKilled }) => (isKilled ? [stored.law] : [])));
  const agents = ['clean', ...cast.variants.map(({ id }) => id)];
  const found = agents.flatMap((agent) =>
    Object.entries(played.get(agent)?.shown?.found ?? {}).map(([law, change]) => ({ law, agent, change })),
  );
  const first = found.filter(({ law }, at) => !isHeld.has(law) && found.findIndex((item) => item.law === law) === at);
  const proven = [...came.flatMap(({ stored, isKilled }) => (isKilled ? [stored] : [])), ...first];
  return {
    proven,
    settled: new Set(
      [...proven, ...came.flatMap(({ stored, isTried }) => (isTried ? [] : [stored]))].map(({ law }) => law),
    ),
    problems: came.flatMap(({ stored: { law, agent, change }, isKilled, isTried }) =>
      isTried && !isKilled
        ? [`law ${law} holds on an answer of ${agent} by which it failed in the stored proof: ${change}`]
        : [],
    ),
  };
}

/** Of the changes that laws list beside themselves: whether each kills, where an answer has a place for it. */
function listedIn(planned: readonly Planned<AnyRule>[], rows: readonly Row[]): Readonly<Record<string, boolean>> {
  const came = rows.flatMap(({ shown }) => Object.entries(shown?.own ?? {}));
  const killing = new Set(came.flatMap(([name, kills]) => (kills ? [name] : [])));
  const tried = new Set(came.map(([name]) => name));
  const listed = ownOf(planned).filter((text) => tried.has(text));
  return Object.fromEntries(listed.map((text) => [text, killing.has(text)]));
}

/** Changes that laws list and that show nothing in any of these proofs: many are meant for the answers of one version. */
export function idleChanges(proofs: readonly Pick<Proof, 'listed'>[]): readonly string[] {
  const all = proofs.flatMap(({ listed }) => Object.entries(listed ?? {}));
  const killing = new Set(all.flatMap(([name, kills]) => (kills ? [name] : [])));
  return [...new Set(all.map(([name]) => name))]
    .filter((name) => !killing.has(name))
    .map((name) => `change ${name} makes it fail on no recorded answer`);
}

function checkProblems(
  { planned, expected }: Weighed,
  killers: ReadonlyMap<string, readonly string[]>,
  pairs: ReadonlySet<string>,
  settled: ReadonlySet<string>,
): readonly string[] {
  const isUnproven = ({ rule }: Planned<AnyRule>): boolean => killers.get(rule.id)?.length === 0;
  // Some fault did not run now: an earlier proof may have shown the kill.
  const isOpen = ({ rule }: Planned<AnyRule>): boolean =>
    [...expected].some(([fault, { all }]) => all.includes(rule.id) && !pairs.has(pairOf(rule.id, fault)));
  return planned
    .filter((plannedRule) => isUnproven(plannedRule) && !isOpen(plannedRule) && !settled.has(plannedRule.rule.id))
    .map(({ rule }) => `check ${rule.id} is killed by no fault that breaks what it decides`);
}

const isAllowed: Weighed['isAllowed'] = (impostor, check) =>
  allowances.some(
    (allowance) =>
      glob(allowance.check).test(check) && (allowance.impostors === 'any' || allowance.impostors.includes(impostor)),
  );
