import { availableParallelism } from 'node:os';
import { charging } from '../../../packs/options.js';
import { clientProfileOf, dialectOfClient } from '../../clients/profile.js';
import type { Dialect } from '../../dialect/index.js';
import { TckError } from '../../model/tck-error.js';
import type { Proof, RuleModules, Stage } from '../../proof/index.js';
import { plural, printable } from '../../wire/text/text.js';
import { causeOf } from '../cause.js';
import { type PackOptions, readPacks } from '../credentials.js';
import { type Terminal, wantsLiveLine } from '../terminal.js';

export interface ProveArguments extends PackOptions {
  readonly profile?: string;
  /** Only the checks of payments. */
  readonly charges?: boolean;
  /** Only the checks of clients. */
  readonly clients?: boolean;
  /** Names to leave out: profiles, or profiles with the name of the pack of payments behind it. */
  readonly without?: readonly string[];
  /**
   * Plays each agent with each check on the first profile that has both, and a fault only with the checks that caught it in the
   * stored proof.
   */
  readonly once?: boolean;
  /** Ids or patterns of checks; implies `once`. */
  readonly only?: readonly string[];
  readonly json?: boolean;
  readonly write?: string;
  readonly check?: string;
}

const clearLine = '\r\u001b[2K';
const mostProblems = 40;

const document = ({
  profile,
  clean,
  faults,
  variants,
  impostors,
  checks,
  laws,
  problems,
  cells,
  durationMs,
}: Proof): object => ({
  schema: 'a2a-tck-proof/1',
  profile,
  clean: { fail: clean.fail, error: clean.error },
  faults,
  variants,
  impostors,
  checks,
  laws,
  problems,
  cells,
  durationMs,
});

/** The output of `prove --json`. */
const proofDocument = (proof: Proof): string => `${JSON.stringify(document(proof), undefined, 2)}\n`;

/** The output of `prove` for people. What packs and agents say is in it only as printable text. */
const proofText = (proof: Proof): string =>
  linesOf(proof)
    .map((line) => `${printable(line)}\n`)
    .join('');

function linesOf(proof: Proof): readonly string[] {
  const { clean, faults, skipped, pairs, variants, impostors, checks, laws, problems, durationMs } = proof;
  const killed = faults.filter((fault) => fault.kills.length > 0).length;
  const voids = faults.filter((fault) => fault.void).length;
  const wrong = variants.filter((variant) => variant.fail.length > 0).length;
  const fooled = impostors.filter((impostor) => impostor.pass.length > 0).length;
  const proven = checks.filter((check) => check.killedBy.length > 0).length;
  return [
    ...problems.slice(0, mostProblems).map((problem) => `  - ${problem}`),
    ...(problems.length > mostProblems ? [`  … and ${problems.length - mostProblems} more: --json shows all`] : []),
    `${proof.profile}: ${problems.length === 0 ? 'every check is proven' : plural(problems.length, 'problem')}`,
    `  clean        ${clean.pass.length} pass, ${clean.fail.length} fail, ${plural(clean.error.length, 'ends', 'end')} in an error of the kit`,
    `  faults       ${killed} of ${faults.length} killed, ${voids} void`,
    `  checks       ${proven} of ${checks.length} proven by a fault${pairs === undefined ? '' : ' played here'}`,
    ...(laws.length === 0 ? [] : [`  laws         ${laws.length} fail by a change to a recorded answer`]),
    `  variants     ${variants.length} conforming, ${wrong} with a failed check`,
    `  impostors    ${impostors.length}, ${fooled} with a passed check (allowed ones have a reason)`,
    ...(skipped.length === 0 ? [] : [`  ${skipped.length} more agents had nothing left to show here`]),
    `  ${(durationMs / 1000).toFixed(1)} s, ${plural(proof.cells, 'cell')}`,
  ];
}

/** The subject of one proof. */
interface Subject {
  readonly dialect: Dialect;
  /** Agents; agents that charge, by the checks of payments; clients. */
  readonly of: 'agents' | 'payments' | 'clients';
}

const nameOf = ({ dialect, of }: Subject): string =>
  of === 'clients'
    ? (clientProfileOf(dialect) ?? dialect.id)
    : `${dialect.id}${of === 'payments' ? `-${charging.pack}` : ''}`;

/** The subjects that are not left out. Throws `TckError('usage')` for an unknown name, and when nothing is left. */
function kept(subjects: readonly Subject[], without: readonly string[]): readonly Subject[] {
  const names = subjects.map(nameOf);
  const unknown = without.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new TckError('usage', `--without ${unknown} is not the name of a proof`, `known: ${names.join(', ')}`);
  }
  const left = subjects.filter((subject) => !without.includes(nameOf(subject)));
  if (left.length === 0) throw new TckError('usage', 'nothing is left to be proven', 'leave --without out');
  return left;
}

/**
 * The subjects to prove. Without a profile: all, payments and clients too. With one: it and its later generations. For
 * JSON only the first, since the output is one document. Throws `TckError('usage')` for a profile that has no payments,
 * or no checks of clients.
 */
function chosen(dialects: readonly Dialect[], profile: Dialect | undefined, given: ProveArguments): readonly Subject[] {
  const { charges = false, clients = false, json = false } = given;
  const free = dialects.filter(
    ({ id }) => profile === undefined || id === profile.id || id.startsWith(`${profile.id}-v`),
  );
  const paid = free.filter(({ pays }) => pays);
  const calling = free.filter((dialect) => clientProfileOf(dialect) !== undefined);
  const lack = (what: string, others: readonly Dialect[]): never => {
    throw new TckError(
      'usage',
      `--profile ${profile?.id} has no ${what}`,
      `give one of ${others.map(({ id }) => id).join(', ')}`,
    );
  };
  if (charges && paid.length === 0)
    lack(
      'payments',
      dialects.filter(({ pays }) => pays),
    );
  if (clients && calling.length === 0)
    lack(
      'checks of clients',
      dialects.filter((dialect) => clientProfileOf(dialect) !== undefined),
    );
  const isAll = !charges && !clients;
  const subjects: readonly Subject[] = [
    ...(isAll ? free.map((dialect) => ({ dialect, of: 'agents' as const })) : []),
    ...(charges || (isAll && profile === undefined)
      ? paid.map((dialect) => ({ dialect, of: 'payments' as const }))
      : []),
    ...(clients || (isAll && profile === undefined)
      ? calling.map((dialect) => ({ dialect, of: 'clients' as const }))
      : []),
  ];
  return json ? subjects.slice(0, 1) : subjects;
}

/**
 * Proves packs in place of the kit, each on all profiles of A2A, or on the one that is given: each check passes on the
 * reference agent with the part of the pack, and each fault of the pack is caught.
 */
async function provePacks(given: ProveArguments, terminal: Terminal): Promise<number> {
  const others = ['charges', 'clients', 'without', 'once', 'only', 'write', 'check'] as const;
  const other = others.find((name) => given[name] !== undefined);
  if (other !== undefined)
    throw new TckError(
      'usage',
      `${other === 'charges' ? charging.option : `--${other}`} does not go together with --pack`,
    );
  const { namedDialect, targetPacks } = await import('../named.js');
  const packs = await targetPacks(readPacks(given, terminal.env));
  const { dialects } = await import('../../dialect/index.js');
  const { prove } = await import('../../proof/index.js');
  const asked = namedDialect(given.profile);
  const on = asked === undefined ? dialects.filter(({ id }) => id.startsWith('a2a-')) : [asked];
  let isPerfect = true;
  for (const pack of packs)
    for (const dialect of given.json === true ? on.slice(0, 1) : on) {
      await dialect.binding.load?.();
      const { rules, faults, variants } = pack;
      const proof = await prove({ dialect, rules, faults, variants, pack });
      isPerfect &&= proof.problems.length === 0;
      terminal.out(given.json === true ? proofDocument(proof) : proofText(proof));
    }
  return isPerfect ? 0 : 1;
}

export async function proveCommand(given: ProveArguments, terminal: Terminal): Promise<number> {
  if (given.pack !== undefined) return provePacks(given, terminal);
  const { profile, without = [], only, json = false, write, check } = given;
  const once = given.once === true || only !== undefined;
  if (write !== undefined && check !== undefined) throw new TckError('usage', '--write and --check do not go together');
  if (check !== undefined && only !== undefined)
    throw new TckError('usage', '--check compares all checks', 'leave --only or --check out');
  const { namedDialect } = await import('../named.js');
  const ofClient = profile === undefined ? undefined : dialectOfClient(profile);
  const asked = ofClient ?? namedDialect(profile);
  const { dialects } = await import('../../dialect/index.js');
  const { clientsAtOnce, idleChanges, isIn, openStage, prove, proveClients, checkMatrix, writeMatrix } = await import(
    '../../proof/index.js'
  );
  const { rules } = await import('../../../suites/index.js');
  const { clientRules } = await import('../../../suites/clients/index.js');
  const live = wantsLiveLine(terminal) && !json;
  const isNamed = isIn(only);
  const clients = given.clients === true || ofClient !== undefined;
  const subjects = kept(chosen(dialects, asked, { ...given, clients }), without).filter(({ of }) =>
    (of === 'clients' ? clientRules : rules).some((rule) => isNamed({ rule })),
  );
  if (subjects.length === 0)
    throw new TckError('usage', `--only ${only?.join(',')} names no check that is proven here`);
  // Threads load the built package. When the kit is run from its sources, as in tests, there is one thread.
  const threads = import.meta.url.endsWith('.js') ? availableParallelism() : 1;
  const modules: RuleModules = {
    agents: new URL('../../../suites/index.js', import.meta.url).href,
    clients: new URL('../../../suites/clients/index.js', import.meta.url).href,
  };
  const played = once ? new Set<string>() : undefined;
  let isPerfect = true;
  const proofs: Proof[] = [];

  function proofOf({ dialect, of }: Subject, stage: Stage | undefined): Promise<Proof> {
    const name = nameOf({ dialect, of });
    const more = {
      dialect,
      ...(played === undefined ? {} : { played }),
      ...(only === undefined ? {} : { only }),
      ...(stage === undefined ? {} : { stage }),
      ...(check === undefined ? {} : { stored: check }),
      onCell: (done: number, all: number) =>
        terminal.out(live ? `${clearLine}${name}: ${of === 'clients' ? 'client' : 'agent'} ${done} of ${all}` : ''),
    };
    return of === 'clients'
      ? proveClients({ ...more, rules: clientRules })
      : prove({ ...more, charges: of === 'payments', rules });
  }

  function tell(proof: Proof): void {
    for (const pair of proof.pairs ?? []) played?.add(pair);
    isPerfect &&= proof.problems.length === 0;
    proofs.push(proof);
    terminal.out(json ? `${proofDocument(proof)}` : `${live ? clearLine : ''}${proofText(proof)}`);
    if (write !== undefined) stored(write, () => writeMatrix(proof, write));
    if (check !== undefined) {
      const differences = stored(check, () => checkMatrix(proof, check));
      isPerfect &&= differences.length === 0;
      terminal.err(differences.map((line) => `${printable(line)}\n`).join(''));
    }
  }

  async function proveAll(some: readonly Subject[], width: number): Promise<void> {
    if (some.length === 0) return;
    const stage = threads > 1 ? openStage({ threads, width, modules }) : undefined;
    try {
      if (width > 1) for (const proof of await Promise.all(some.map((subject) => proofOf(subject, stage)))) tell(proof);
      else for (const subject of some) tell(await proofOf(subject, stage));
    } finally {
      await stage?.close();
    }
  }

  // Agents are judged in virtual time and keep a thread busy; clients in real time, so all of them wait together.
  await proveAll(
    subjects.filter(({ of }) => of !== 'clients'),
    1,
  );
  await proveAll(
    subjects.filter(({ of }) => of === 'clients'),
    clientsAtOnce,
  );
  // One profile does not have the answers for which all changes are meant.
  const idle = asked === undefined && without.length === 0 ? idleChanges(proofs) : [];
  terminal.err(idle.map((line) => `${printable(line)}\n`).join(''));
  return isPerfect && idle.length === 0 ? 0 : 1;
}

function stored<T>(folder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new TckError('config', `the matrix in ${folder} cannot be read or written: ${causeOf(error)}`);
  }
}
