import { charging } from '../../../packs/options.js';
import type { Dialect } from '../../dialect/index.js';
import { type AnyRule, subjectOf } from '../../kit/index.js';
import { type Ambiguity, publishedAt, type Requirement } from '../../ledger/index.js';
import { TckError } from '../../model/tck-error.js';
import type { OpenPack } from '../../pack/index.js';
import type { Breaking } from '../../proof/index.js';
import type { Planned } from '../../run/index.js';
import { printable, wrap } from '../../wire/text/text.js';
import type { PackOptions } from '../credentials.js';
import { answersAt } from '../library-answers.js';
import type { Terminal } from '../terminal.js';

/** Where checks of payments are judged. */
const onRequest = `runs with ${charging.option}`;

/** One rule, and the profiles in which it has this level and these rows. */
interface Standing {
  readonly profiles: string[];
  readonly planned: Planned<AnyRule>;
}

function standings(all: readonly (readonly [profile: string, planned: Planned<AnyRule>])[]): readonly Standing[] {
  const found: Standing[] = [];
  for (const [profile, planned] of all) {
    const rows = planned.rows.map((row) => row.id).join();
    const same = found.find(
      (item) => item.planned.level === planned.level && item.planned.rows.map((row) => row.id).join() === rows,
    );
    if (same === undefined) found.push({ profiles: [profile], planned });
    else same.profiles.push(profile);
  }
  return found;
}

/** A name, and its text beside it, wrapped to the terminal. */
type RowWriter = (name: string, text: string) => string;
const rowWriter =
  ({ isTTY, columns }: Terminal): RowWriter =>
  (name, text) =>
    `    ${name.padEnd(10)}${wrap(text, 14, isTTY ? columns : undefined)}`;

const unclear = ({ id, point, verdict }: Ambiguity, writeRow: RowWriter): string[] => [
  writeRow('unclear', `${id}: ${point}`),
  writeRow('so', verdict),
];

function rowText(row: Requirement, points: ReadonlyMap<string, Ambiguity>, writeRow: RowWriter): string {
  const url = publishedAt(row);
  const point = row.ambiguity === undefined ? undefined : points.get(row.ambiguity);
  return [
    `  ${row.id}, section ${row.section}`,
    ...(url === undefined ? [] : [`    ${url}`]),
    writeRow('says', row.statement),
    writeRow('seen by', row.observe),
    ...(row.since === undefined
      ? []
      : [writeRow('since', `${row.since}: not judged where the agent is seen to follow an earlier text`)]),
    ...(point === undefined ? [] : unclear(point, writeRow)),
    '',
  ].join('\n');
}

interface Layout {
  readonly writeRow: RowWriter;
  /** Wraps a text whose further lines are indented. */
  flow(text: string, indent: number): string;
}

const standingText = (
  { profiles, planned: { level, rows, title } }: Standing,
  points: ReadonlyMap<string, Ambiguity>,
  { writeRow, flow }: Layout,
): string =>
  [
    flow(`${level.toUpperCase()} in ${profiles.join(', ')}`, 2),
    `  ${flow(`${title}.`, 2)}`,
    '',
    ...rows.map((row) => rowText(row, points, writeRow)),
  ].join('\n');

function story(rule: AnyRule, flow: Layout['flow']): string {
  const must = `${subjectOf(rule)} must`;
  if (rule.kind === 'law') {
    const text = `Judged on every exchange of a run: ${must} ${rule.about}. If no exchange shows it, the check is inconclusive: ${rule.otherwise}.`;
    return `  ${flow(text, 2)}`;
  }
  if (rule.kind === 'client') {
    const where = rule.plays === 'all' ? 'in every scenario' : `in ${rule.plays.join(', ')}`;
    const but = rule.controls.length === 0 ? '' : ` Counts only if the same holds in ${rule.controls.join(', ')}.`;
    return `  ${flow(`Judged ${where}: ${must} ${rule.about}.${but}`, 2)}`;
  }
  const steps = [
    ...rule.givens.map(([, source]) => ['given', source.about]),
    ['when', rule.when.about],
    ...rule.expectations.map((expectation) => [must, expectation.about]),
    ...rule.controls.map((control) => ['but accept', control.about]),
  ];
  return steps.map(([word = '', what = '']) => `  ${word.padEnd(16)}${flow(what, 18)}`).join('\n');
}

/** What libraries answer by themselves, so that an author looks in the right place; nothing where none does. */
function libraryText(check: string, { flow }: Layout): readonly string[] {
  const some = answersAt(check).map(({ request, answers }) =>
    [
      `  ${flow(`To ${request}:`, 2)}`,
      ...Object.entries(answers).map(([library, answer]) => `    ${flow(`${library}: ${answer}`, 6)}`),
    ].join('\n'),
  );
  if (some.length === 0) return [];
  return [`Often a library answers, not the code of the agent (docs/library-answers.md)\n${some.join('\n')}\n`];
}

/** Checks of agents, and checks of clients. */
async function allRules(): Promise<readonly AnyRule[]> {
  const [{ rules }, { clientRules }] = await Promise.all([
    import('../../../suites/index.js'),
    import('../../../suites/clients/index.js'),
  ]);
  return [...rules, ...clientRules];
}

const ofPack = ({ name }: OpenPack): string => `the pack ${name}`;

/** A requirement: its text, and the checks that decide it. Undefined: no profile has it. */
async function requirementText(
  id: string,
  chosen: Dialect | undefined,
  layout: Layout,
  packs: readonly OpenPack[],
): Promise<string | undefined> {
  const { dialects } = await import('../../dialect/index.js');
  const { loadAmbiguities, loadLedger } = await import('../../ledger/index.js');
  const { clientProfiles } = await import('../../clients/profile.js');
  const rules = [...(await allRules()), ...packs.flatMap((pack) => pack.rules)];
  const some = chosen === undefined ? dialects : [chosen];
  const ledgers = [
    ...some.map((dialect) => [dialect.id, loadLedger(dialect.ledger)] as const),
    [onRequest, loadLedger(charging.ledger)] as const,
    ...clientProfiles(some).map((clientProfile) => [clientProfile.id, clientProfile.ledger] as const),
    ...packs.map((pack) => [ofPack(pack), pack.ledger] as const),
  ];
  const having = ledgers.filter(([, ledger]) => ledger.rows.some((row) => row.id === id));
  const row = having[0]?.[1].rows.find((row) => row.id === id);
  if (row === undefined) return undefined;
  const { key, level, unobservable, uncovered } = row;
  const deciding = key === undefined ? [] : rules.filter(({ keys }) => keys.includes(key)).map((rule) => rule.id);
  const none = unobservable ?? uncovered ?? 'no check decides it';
  return [
    layout.flow(`${level.toUpperCase()} in ${having.map(([name]) => name).join(', ')}`, 2),
    rowText(row, loadAmbiguities(), layout.writeRow).trimEnd(),
    layout.writeRow(
      deciding.length === 1 ? 'check' : 'checks',
      deciding.length === 0 ? `none: ${none}` : deciding.join(', '),
    ),
    ...(deciding.length === 0 ? [] : ['', 'a2a-tck explain <check> says how the kit judges it']),
    '',
  ].join('\n');
}

/** What an oracle of the fuzzer sees: docs/fuzzing.md has the same table. */
const oracleAbout: Readonly<Record<string, string>> = {
  law: 'an answer breaks a law of the suites',
  alive: 'no answer, a lost connection, an error page, or an agent that no longer answers',
  'error-class': 'the wrong class of error for what was broken',
  unchanged: 'refused input created or changed something',
  'life-cycle': 'a task made an illegal move',
  history: 'the history lost or gained something',
  stream: 'readers saw different orders, or more than was asked for',
  cost: 'time or size grows faster than the input',
  leak: 'the answer has a stack trace, a path, a secret or data of others',
  signed: 'a request was accepted though it is not signed rightly, or it broke the agent',
  bindings: 'one binding accepts what another one refuses',
  paid: 'the agent gave something for a payment without money',
};

/** A finding of the last run or campaign from this folder. Throws `TckError('usage')` if there is none of that id. */
async function findingText(id: string, { writeRow, flow }: Layout): Promise<string> {
  const { lastFindings } = await import('../last-run.js');
  const last = lastFindings(process.cwd());
  const finding = last?.findings.find((finding) => finding.id === id);
  if (last === undefined || finding === undefined) {
    const known = last?.findings.map((finding) => finding.id).join(', ') ?? '';
    const hint =
      known === ''
        ? 'findings are kept by a run or by a2a-tck fuzz, in the folder in which it is started'
        : `the last run found ${known}`;
    throw new TckError('usage', `the last run from this folder has no finding ${id}`, hint);
  }
  const { dialects } = await import('../../dialect/index.js');
  const { loadLedger } = await import('../../ledger/index.js');
  const spoken = dialects.filter((dialect) => dialect.id === last.profile).map(({ ledger }) => ledger);
  const rows = [...spoken, charging.ledger].flatMap((name) => loadLedger(name).rows);
  const { level, title, detail, requirements, oracle, confirmed, steps, seed, operations = [] } = finding;
  const file = `${last.files}/${id}`;
  const binding = last.profile.endsWith('-grpc') ? ' --binding grpc' : '';
  const sentences = requirements.map((requirement) => {
    const row = rows.find((found) => found.id === requirement);
    return writeRow('sentence', row === undefined ? requirement : `${requirement}, ${row.section}: ${row.statement}`);
  });
  const rank =
    level === undefined ? 'a weakness: it breaks no sentence of the specification' : `breaks a ${level.toUpperCase()}`;
  return [
    printable(`${id}, ${rank}`),
    flow(`  ${printable(title)}`, 2),
    '',
    writeRow('actual', printable(detail)),
    writeRow('seen by', `${printable(oracle)}: ${oracleAbout[oracle] ?? 'see docs/fuzzing.md'}`),
    ...sentences,
    ...(operations.length === 0 ? [] : [writeRow('through', printable(operations.join(', ')))]),
    writeRow(
      'confirmed',
      `${confirmed.times} of ${confirmed.of} times from scratch, ${steps === 1 ? 'one request' : `${steps} requests`}, seed ${seed}`,
    ),
    '',
    'To see it again, to know when it is gone, and to keep it as a test',
    `  sh ${printable(file, 400)}.sh`,
    `  a2a-tck fuzz --url ${printable(last.url, 200)}${binding} --replay ${printable(file, 400)}.json`,
    `  a2a-tck promote ${printable(file, 400)}.json --as <name>`,
    '',
    `A baseline knows it by its id: check: ${id}`,
    '',
  ].join('\n');
}

export async function explainCommand(
  id: string,
  given: { readonly profile?: string } & Pick<PackOptions, 'pack'>,
  terminal: Terminal,
): Promise<number> {
  const columns = terminal.isTTY ? terminal.columns : undefined;
  const layout: Layout = { writeRow: rowWriter(terminal), flow: (text, indent) => wrap(text, indent, columns) };
  const { flow } = layout;
  if (/^f-[0-9a-f]+$/.test(id)) {
    terminal.out(await findingText(id, layout));
    return 0;
  }
  const { named, namedDialect, namedPacks } = await import('../named.js');
  const packs = await namedPacks(given.pack);
  const rules = [...(await allRules()), ...packs.flatMap((pack) => pack.rules)];
  const chosen = namedDialect(given.profile);
  if (/^[A-Z][A-Z0-9]*-/.test(id)) {
    const text = await requirementText(id, chosen, layout, packs);
    if (text !== undefined) {
      terminal.out(text);
      return 0;
    }
    throw new TckError('usage', `unknown requirement ${id}`, 'a2a-tck list requirements shows them');
  }
  // Reports name the interface after the id, where it is not the first one.
  const rule = named('check', id.replace(/@.*$/, ''), rules, 'a2a-tck list checks shows them');
  const { dialects } = await import('../../dialect/index.js');
  const { loadAmbiguities, loadLedger } = await import('../../ledger/index.js');
  const { planAll } = await import('../../run/index.js');
  const { faults: agentFaults } = await import('../../../fixtures/faults/index.js');
  const { clientFaults } = await import('../../../fixtures/clients/faults/index.js');
  const isOfClients = rule.kind === 'client';
  const faults: readonly (Breaking & { readonly about: string })[] = isOfClients
    ? clientFaults
    : [...agentFaults, ...packs.flatMap((pack) => pack.faults)];
  const all = (chosen === undefined ? dialects : [chosen]).flatMap((dialect) =>
    planAll([rule], loadLedger(dialect.ledger)).map((planned) => [dialect.id, planned] as const),
  );
  const { clientProfiles } = await import('../../clients/profile.js');
  const ofClients = clientProfiles(chosen === undefined ? dialects : [chosen]).flatMap(({ id: name, ledger }) =>
    planAll([rule], ledger).map((planned) => [name, planned] as const),
  );
  const payments = planAll([rule], loadLedger(charging.ledger)).map((planned) => [onRequest, planned] as const);
  const inPacks = packs.flatMap((pack) =>
    planAll([rule], pack.ledger).map((planned) => [ofPack(pack), planned] as const),
  );
  const points = loadAmbiguities();
  const standingTexts = standings([...all, ...payments, ...ofClients, ...inPacks]).map((item) =>
    standingText(item, points, layout),
  );
  const { killersOf, storedKills, writtenProof } = await import('../../proof/index.js');
  const kills = storedKills();
  const killers = killersOf(faults, kills)(rule);
  const { [rule.id]: change } = kills.laws;
  const [first] = killers;
  const proofs = killers.map(({ fault }) => {
    const about = faults.find((item) => item.id === fault)?.about ?? '';
    return `  ${fault}\n    ${flow(about, 4)}`;
  });
  // Payments have matrices of their own, whose names are not profiles.
  const shownBy = first?.profile.replace(/^client-/, 'a2a-').replace(new RegExp(`-${charging.pack}$`), '');
  const onProfile = shownBy === undefined || shownBy === 'a2a-1.0' ? '' : ` --profile ${shownBy}`;
  const parts = [
    rule.id,
    ...(standingTexts.length === 0 ? [`${chosen?.id ?? 'No profile'} has no such sentence.\n`] : standingTexts),
    `The story\n${story(rule, flow)}\n`,
    ...libraryText(rule.id, layout),
    ...(rule.advice === undefined ? [] : [`When it fails\n  ${flow(rule.advice, 2)}\n`]),
    ...(change === undefined
      ? []
      : [`Proven by this change to a recorded answer of the reference agent\n  ${writtenProof(change)}\n`]),
    ...(first === undefined
      ? change === undefined
        ? [
            inPacks.length === 0
              ? 'No fault is known to prove it: a2a-tck prove measures that.'
              : 'a2a-tck prove --pack <pack> shows what proves it.',
          ]
        : []
      : [
          `Proven by these faults of the reference ${isOfClients ? 'client' : 'agent'}, which it catches\n${proofs.join('\n')}\n`,
          `Try it: a2a-tck ${isOfClients ? 'client --demo' : 'demo'}${onProfile}${payments.length > 0 ? ` ${charging.option}` : ''} --check ${rule.id} --fault ${first.fault}`,
        ]),
  ];
  terminal.out(`${parts.join('\n')}\n`);
  return 0;
}
