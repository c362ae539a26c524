import { type Rule, subjectOf } from '../../kit/index.js';
import type { Ambiguity, Requirement } from '../../ledger/index.js';
import type { Planned } from '../../run/index.js';
import type { Terminal } from '../terminal.js';

/** One rule, and the profiles in which it has this level and these rows. */
interface Standing {
  readonly profiles: string[];
  readonly planned: Planned;
}

function standings(all: readonly (readonly [profile: string, planned: Planned])[]): readonly Standing[] {
  const found: Standing[] = [];
  for (const [profile, planned] of all) {
    const rows = planned.rows.map((row) => row.id).join();
    const same = found.find(
      (one) => one.planned.level === planned.level && one.planned.rows.map((row) => row.id).join() === rows,
    );
    if (same === undefined) found.push({ profiles: [profile], planned });
    else same.profiles.push(profile);
  }
  return found;
}

const unclear = ({ id, point, verdict }: Ambiguity): string[] => [
  `    unclear   ${id}: ${point}`,
  `    so        ${verdict}`,
];

const rowText = (row: Requirement, points: ReadonlyMap<string, Ambiguity>): string =>
  [
    `  ${row.id}, section ${row.section}`,
    `    says      ${row.statement}`,
    `    seen by   ${row.observe}`,
    ...(row.since === undefined
      ? []
      : [`    since     ${row.since}: not judged where the agent is seen to follow an earlier text`]),
    ...[row.ambiguity === undefined ? undefined : points.get(row.ambiguity)].flatMap((one) =>
      one === undefined ? [] : unclear(one),
    ),
    '',
  ].join('\n');

const standingText = (
  { profiles, planned: { level, rows, title } }: Standing,
  points: ReadonlyMap<string, Ambiguity>,
): string =>
  [
    `${level.toUpperCase()} in ${profiles.join(', ')}`,
    `  ${title}.`,
    '',
    ...rows.map((row) => rowText(row, points)),
  ].join('\n');

function story(rule: Rule): string {
  const must = `${subjectOf(rule)} must`;
  if (rule.kind === 'law') {
    return `Judged on every exchange of a run: ${must} ${rule.about}. Inconclusive when ${rule.otherwise}.`;
  }
  const steps = [
    ...rule.givens.map(([, source]) => ['given', source.about]),
    ['when', rule.when.about],
    ...rule.expectations.map((one) => [must, one.about]),
    ...rule.controls.map((one) => ['but accept', one.about]),
  ];
  return steps.map(([word = '', what]) => `  ${word.padEnd(16)}${what}`).join('\n');
}

export async function explainCommand(id: string, profile: string | undefined, terminal: Terminal): Promise<number> {
  const { named, namedDialect } = await import('../named.js');
  const { rules } = await import('../../../suites/index.js');
  const chosen = namedDialect(profile);
  // Reports name the interface after the id, where it is not the first one.
  const rule = named('check', id.replace(/@.*$/, ''), rules, 'a2a-tck list checks shows them');
  const { dialects } = await import('../../dialect/index.js');
  const { loadAmbiguities, loadLedger } = await import('../../ledger/index.js');
  const { planAll } = await import('../../run/index.js');
  const { faults } = await import('../../reference/index.js');
  const all = (chosen === undefined ? dialects : [chosen]).flatMap((dialect) =>
    planAll([rule], loadLedger(dialect.ledger)).map((planned) => [dialect.id, planned] as const),
  );
  const payments = planAll([rule], loadLedger('x402')).map((planned) => ['runs with --x402', planned] as const);
  const points = loadAmbiguities();
  const told = standings([...all, ...payments]).map((one) => standingText(one, points));
  const width = Math.max(...rule.killedBy.map((fault) => fault.length));
  const proofs = rule.killedBy.map(
    (fault) => `  ${fault.padEnd(width)}  ${faults.find((one) => one.id === fault)?.about ?? ''}`,
  );
  const parts = [
    rule.id,
    ...(told.length === 0 ? [`${chosen?.id ?? 'No profile'} has no such sentence.\n`] : told),
    `The story\n${story(rule)}\n`,
    ...(rule.advice === undefined ? [] : [`When it fails\n  ${rule.advice}\n`]),
    `Proven by these faults of the reference agent, which it must catch\n${proofs.join('\n')}\n`,
    `Try it: a2a-tck demo${payments.length > 0 ? ' --x402' : ''} --check ${rule.id} --fault ${rule.killedBy[0] ?? '<fault>'}`,
  ];
  terminal.out(`${parts.join('\n')}\n`);
  return 0;
}
