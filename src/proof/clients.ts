import { clientFaults, clientImpostors, oddClients, referenceClient } from '../../fixtures/clients/index.js';
import {
  clientLedger,
  clientProfileOf,
  planClients,
  runClients,
  type Scenario,
  type StartClient,
  scenarios,
} from '../clients/index.js';
import { type Dialect, isFor } from '../dialect/index.js';
import type { ClientCheck } from '../kit/index.js';
import type { Role, Row } from './cell.js';
import { narrowed, type Proof, type Weighed, weigh } from './prove.js';

export interface ClientProofOptions {
  readonly dialect: Dialect;
  readonly rules: readonly ClientCheck[];
  /** A quick proof, as `ProofOptions.played` has it. */
  readonly played?: ReadonlySet<string>;
  /** Called after each client, for progress. */
  readonly onCell?: (done: number, of: number) => void;
}

/**
 * Clients at once, and scenarios at once for each: they mostly wait. With more of them this thread answers so late that no
 * client can be hasty.
 */
const clientsAtOnce = 8;
const atOnce = 12;

/** All checks of clients × all faults, odd clients and impostors, over loopback. Never throws for what a client does. */
export async function proveClients({ dialect, rules, played, onCell }: ClientProofOptions): Promise<Proof> {
  const started = performance.now();
  const selection = { suites: [], checks: [], level: 'may' as const };
  const { planned } = planClients({ dialect, rules, scenarios, selection });
  const ledger = clientLedger(dialect);
  const named = new Set<string>(planned.flatMap(({ rule }) => rule.killedBy));
  const isHere = (one: Parameters<typeof isFor>[0]): boolean => isFor(one, dialect);
  const faults = clientFaults.filter(
    (one) => isHere(one) && named.has(one.id) && one.breaks.some((key) => ledger.row(key) !== undefined),
  );
  const cast = { faults, variants: oddClients.filter(isHere), impostors: clientImpostors };
  const whole: readonly (readonly [Role, StartClient])[] = [
    [{ type: 'clean' }, referenceClient()],
    // First, since some of them wait to the end of their time, and others work meanwhile.
    ...faults.map(({ id, patch }) => [{ type: 'fault', id } as const, referenceClient([patch])] as const),
    ...cast.variants.map(({ id, patch }) => [{ type: 'variant', id } as const, referenceClient([patch])] as const),
    ...cast.impostors.map(({ id, start }) => [{ type: 'impostor', id } as const, start] as const),
  ];
  const roles =
    played === undefined
      ? whole
      : whole.flatMap(([role, start]) => narrowed(role, planned, played).map((left) => [left, start] as const));
  const rows: Row[] = new Array(roles.length);
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < roles.length; at = next++) {
      const [role, start] = roles[at] as (typeof roles)[number];
      rows[at] = await playRole(role, start, dialect, rules, scenarios);
      onCell?.(++done, roles.length);
    }
  };
  await Promise.all(Array.from({ length: clientsAtOnce }, work));
  const about: Weighed = {
    name: clientProfileOf(dialect) ?? dialect.id,
    clean: 'the clean client',
    cast,
    planned,
    isQuick: played !== undefined,
    known: clientFaults,
    isAllowed: () => false,
  };
  return weigh(about, rows, performance.now() - started);
}

async function playRole(
  role: Role,
  start: StartClient,
  dialect: Dialect,
  rules: readonly ClientCheck[],
  all: readonly Scenario[],
): Promise<Row> {
  const report = await runClients(
    {
      dialect,
      rules,
      scenarios: all,
      start,
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
