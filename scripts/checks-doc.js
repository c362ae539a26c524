// Writes docs/checks.md: every check of every suite, its level in each profile, and its story. `npm run build` first.
//   node scripts/checks-doc.js [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const load = (file) => import(new URL(`../dist/${file}`, import.meta.url).href);
const [{ rules: ofAgents }, { clientRules }, { dialects }, { loadLedger }, { planAll }, { storyOf, suiteOf }, clients] =
  await Promise.all(
    [
      'suites/index.js',
      'suites/clients/index.js',
      'src/dialect/index.js',
      'src/ledger/index.js',
      'src/run/index.js',
      'src/kit/index.js',
      'src/clients/profile.js',
    ].map(load),
  );
const rules = [...ofAgents, ...clientRules];

const columns = [
  ...dialects.map(({ id, ledger }) => ({ name: id, ledger: loadLedger(ledger) })),
  // Payments are judged in addition to the profile of the agent.
  { name: 'x402', ledger: loadLedger('x402') },
  ...clients.clientProfiles().map(({ id, ledger }) => ({ name: id, ledger })),
];
const plans = columns.map(({ ledger }) => new Map(planAll(rules, ledger).map((item) => [item.rule.id, item])));
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

function chapter(suite) {
  const own = rules.filter((rule) => suiteOf(rule) === suite);
  const used = columns.flatMap((column, at) => (own.some(({ id }) => plans[at].has(id)) ? [{ column, at }] : []));
  const heads = used.map(({ column }) => column.name);
  const rows = own.flatMap((rule) => {
    const levels = used.map(({ at }) => plans[at].get(rule.id)?.level.toUpperCase() ?? '–');
    const strictest = ['must', 'should', 'may'].find((level) => levels.includes(level.toUpperCase()));
    if (strictest === undefined) return [];
    return [`| \`${rule.id}\` | ${levels.join(' | ')} | ${cell(storyOf(rule, strictest))} |`];
  });
  return [
    `## ${suite}`,
    '',
    `${rows.length} checks.`,
    '',
    `| check | ${heads.join(' | ')} | story |`,
    `|---|${heads.map(() => '---|').join('')}---|`,
    ...rows,
    '',
  ].join('\n');
}

const suites = [...new Set(rules.map(suiteOf))];
const text = [
  '# All checks',
  '',
  'Made by `node scripts/checks-doc.js` from the suites; do not edit. The level is that of the sentence in each profile;',
  '– where the profile has no such sentence. Suites that begin with `client-` judge clients. `a2a-tck explain <check>` shows',
  'the sentence, the usual causes of a failure and what to do.',
  '',
  suites.map((suite) => `[${suite}](#${suite})`).join(' · '),
  '',
  ...suites.map(chapter),
].join('\n');

const file = join(root, 'docs/checks.md');
if (process.argv.includes('--check')) {
  const stored = readFileSync(file, 'utf8');
  if (stored !== text) {
    console.error('docs/checks.md does not match the suites; node scripts/checks-doc.js rewrites it');
    process.exitCode = 1;
  }
} else writeFileSync(file, text);
