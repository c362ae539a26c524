import { clientFaults, clientImpostors, oddClients, referenceClient } from '../../fixtures/clients/index.js';
import {
  clientLedger,
  clientProfileOf,
  planClients,
  runClients,
  type StartClient,
  scenarios,
} from '../clients/index.js';
import { type Dialect, isFor } from '../dialect/index.js';
import type { ClientCheck } from '../kit/index.js';
import { createSemaphore } from '../model/index.js';
import type { Role, Row } from './cell.js';
import { expectations, storedProof } from './kills.js';
import { isIn, isSeen, narrowed, type Proof, pairsOf, type Weighed, weigh } from './prove.js';
import type { Stage } from './stage.js';
import { readKills } from './stored.js';

export interface ClientProofOptions {
  readonly dialect: Dialect;
  readonly rules: readonly ClientCheck[];
  /**
   * A quick proof, as `ProofOptions.played` has it. The pairs of this proof are added before anything is played, so that
   * several proofs can run at once.
   */
  readonly played?: Set<string>;
  /** Only checks whose ids match one of these patterns; a quick proof only. Left out: all. */
  readonly only?: readonly string[];
  /** Folder of the stored proof; left out: that of the sources. */
  readonly stored?: string;
  /** Threads with the cast of the package; left out: this thread. */
  readonly stage?: Stage;
  /** Called after each client, for progress. */
  readonly onCell?: (done: number, of: number) => void;
}

/**
 * Clients at once on a thread, and scenarios at once for each: they mostly wait. With more of them a thread answers so late
 * that no client can be hasty.
 */
export const clientsAtOnce = 8;
const atOnce = 12;

/** All checks of clients × all faults, odd clients and impostors, over loopback. Never throws for what a client does. */
export async function proveClients({
  dialect,
  rules,
  played,
  only,
  stored,
  stage,
  onCell,
}: ClientProofOptions): Promise<Proof> {
  const started = performance.now();
  const selection = { suites: [], checks: [], level: 'may' as const };
  const all = planClients({ dialect, rules, scenarios, selection }).planned;
  const planned = all.filter(isIn(only));
  const ledger = clientLedger(dialect);
  const isHere = (keptFor: Parameters<typeof isFor>[0]): boolean => isFor(keptFor, dialect);
  const faults = clientFaults.filter((clientFault) => isHere(clientFault) && isSeen(clientFault, all, ledger));
  const name = clientProfileOf(dialect) ?? dialect.id;
  const expected = expectations(
    readKills(stored ?? storedProof, name),
    planned.map(({ rule }) => rule),
    faults,
    all.flatMap((plannedRule) => (isIn(only)(plannedRule) ? [] : [plannedRule.rule])),
  );
  const cast = { faults, variants: oddClients.filter(isHere), impostors: clientImpostors };
  const whole: readonly Role[] = [
    { type: 'clean' },
    // First, since some of them wait to the end of their time, and others work meanwhile.
    ...faults.map(({ id }) => ({ type: 'fault', id }) as const),
    ...cast.variants.map(({ id }) => ({ type: 'variant', id }) as const),
    ...cast.impostors.map(({ id }) => ({ type: 'impostor', id }) as const),
  ];
  const roles =
    played === undefined && only === undefined
      ? whole
      : whole.flatMap((role) => narrowed(role, planned, expected, played ?? new Set(), only !== undefined));
  for (const role of roles) for (const pair of pairsOf(role, planned)) played?.add(pair);
  let done = 0;
  const places = createSemaphore(clientsAtOnce);
  const play = (role: Role, how: 'play' | 'playAlone' = 'play'): Promise<Row> =>
    stage === undefined
      ? places.withPermit(() => playClient(role, dialect, rules))
      : stage[how]({ profile: dialect.id, of: 'clients', role });
  const rows = await Promise.all(
    roles.map(async (role) => {
      const row = await play(role);
      onCell?.(++done, roles.length);
      return row;
    }),
  );
  // Beside many others a client that makes no pause asks as seldom as one that does: what showed nothing plays alone.
  for (const [at, { role, fail }] of rows.entries())
    if (role.type === 'fault' && Object.keys(fail).length === 0) rows[at] = await play(role, 'playAlone');
  const about: Weighed = {
    name,
    clean: 'the clean client',
    cast,
    planned,
    expected,
    lawProofs: [],
    isQuick: played !== undefined,
    isAllowed: () => false,
  };
  return weigh(about, rows, performance.now() - started);
}

function startOf(role: Role): StartClient {
  if (role.type === 'clean') return referenceClient();
  const patched = [...clientFaults, ...oddClients].find(({ id }) => id === role.id);
  const start = patched === undefined ? clientImpostors.find(({ id }) => id === role.id)?.start : undefined;
  if (patched === undefined && start === undefined) throw new Error(`the cast has no ${role.type} ${role.id}`);
  return start ?? referenceClient(patched === undefined ? [] : [patched.patch]);
}

/** Runs checks on one client. Throws for a role that the cast does not have. */
export async function playClient(role: Role, dialect: Dialect, rules: readonly ClientCheck[]): Promise<Row> {
  const report = await runClients(
    {
      dialect,
      rules,
      scenarios,
      start: startOf(role),
      name: 'reference client',
      way: '--demo',
      selection: { suites: [], checks: role.checks ?? [], level: 'may' },
      concurrency: atOnce,
      kit: { name: 'a2a-tck', version: 'proof' },
    },
    () => undefined,
  );
  const of = (...verdicts: readonly string[]) => report.checks.filter(({ verdict }) => verdicts.includes(verdict));
  const reasons = (...verdicts: readonly string[]): Record<string, string> =>
    Object.fromEntries(of(...verdicts).map(({ id, reason }) => [id, reason]));
  const onTape = new Set(report.exchanges.map(({ id }) => id));
  return {
    role,
    isGreen: role.checks === undefined && report.gate.passed,
    pass: of('pass').map(({ id }) => id),
    fail: reasons('fail', 'not-offered'),
    error: reasons('error'),
    unshown: of('fail', 'not-offered')
      .filter(({ exhibit }) => exhibit === undefined || !onTape.has(exhibit))
      .map(({ id }) => id),
    // Ids and ports differ in each run: a fault that changes nothing is one that no check kills.
    answers: role.type === 'clean' ? 'clean' : role.id,
    crashes: [],
  };
}
