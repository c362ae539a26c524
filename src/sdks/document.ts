import { printable } from '../wire/index.js';
import { type Past, versionChange } from './history.js';
import { type Expected, type ExpectedFailure, type Manifest, nameOf, type Target } from './manifest.js';

// What is made of targets/: the overview in docs/targets.md, and targets/judged.md. Nothing here is known that a person has
// not judged. The details stay out of the package.

const judgedPage = 'https://github.com/a2a-tck/a2a-tck/blob/main/targets/judged.md';

export const marks = { begin: '<!-- targets: begin -->', end: '<!-- targets: end -->' } as const;

/** Text in a cell of a table of Markdown. */
const cell = (text: string): string =>
  printable(text, 500).replaceAll('|', '&#124;').replaceAll('<', '&lt;').replaceAll('*', '\\*').replaceAll('_', '\\_');

const bindings: Readonly<Record<string, string>> = { '': 'JSON-RPC', rest: 'HTTP+JSON', grpc: 'gRPC' };
const bindingOf = (profile: string): string => bindings[/-(rest|grpc)$/.exec(profile)?.[1] ?? ''] ?? profile;

function overText({ over }: Pick<ExpectedFailure, 'over'>, { profiles }: Manifest): string {
  if (profiles.length === 1) return '';
  const named = over ?? profiles.slice(0, 1);
  return named.length === profiles.length ? 'all' : named.map(bindingOf).join(', ');
}

const spread = ({ failures }: Expected, level: string): number =>
  failures.filter((failure) => failure.level === level).length;

function overviewRow({ manifest, expected, isJudged }: Target, history: readonly Past[]): string {
  const last = history.findLast(({ target }) => target === manifest.id);
  const judged =
    history.length === 0 || last === undefined ? ['–', '–'] : [`${last.pass} of ${last.checks}`, last.at.slice(0, 10)];
  const unclear = expected.failures.filter((failure) => failure.judged === 'unclear').length;
  return `| [${cell(nameOf(manifest))}](${judgedPage}#${anchorOf(manifest)}) | ${manifest.language} | ${manifest.profiles.map(bindingOf).join(', ')} | ${isJudged ? `${spread(expected, 'must')} / ${spread(expected, 'should')}` : 'not judged'} | ${unclear} | ${expected.missed?.length ?? 0} | ${judged.join(' | ')} |`;
}

const titleOf = (manifest: Manifest): string => `${manifest.id}: ${nameOf(manifest)}`;
/** As GitHub makes them of titles. */
const anchorOf = (manifest: Manifest): string =>
  titleOf(manifest)
    .toLowerCase()
    .replaceAll(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-');

function section({ manifest, expected, isJudged }: Target, history: readonly Past[]): readonly string[] {
  const rows = expected.failures.map((failure) => {
    const { check, level, judged, sentence, wire, why, report } = failure;
    const knownLines = [
      cell(wire),
      ...(why === undefined ? [] : [cell(why)]),
      ...(report === undefined ? [] : [`[reported](${report})`]),
    ];
    const race = failure['comes-and-goes'] === true ? ' (comes and goes)' : '';
    return `| \`${check}\`${race} | ${level.toUpperCase()} | ${overText(failure, manifest)} | ${cell(sentence)} | ${judged === true ? '' : '**unclear**. '}${knownLines.join('. ')} |`;
  });
  const missed = (expected.missed ?? []).map(
    (item) => `- ${cell(item.sentence)} ${cell(item.wire)} Not reported: ${cell(item.why)}`,
  );
  const change = versionChange(history, manifest.id);
  const changed =
    change === undefined
      ? []
      : [
          '',
          `From ${change.from} to ${change.to}: mended ${change.mended.join(', ') || 'nothing'}; broken ${change.broken.join(', ') || 'nothing'}.`,
        ];
  const table =
    rows.length === 0
      ? [isJudged ? 'Nothing fails.' : 'No person has judged it yet.']
      : ['| check | level | over | sentence | what it does |', '|---|---|---|---|---|', ...rows];
  return [
    '',
    `### ${titleOf(manifest)}`,
    '',
    ...table,
    ...(missed.length === 0 ? [] : ['', 'Known, and not reported:', '', ...missed]),
    ...changed,
  ];
}

/** How many sentences each target fails, as judged: the generated part of docs/targets.md. */
export function targetsText(targets: readonly Target[], history: readonly Past[]): string {
  return [
    marks.begin,
    '',
    '| package | language | over | fails MUST / SHOULD | unclear | missed | checks passed | run on |',
    '|---|---|---|---:|---:|---:|---:|---|',
    ...targets.map((target) => overviewRow(target, history)),
    '',
    marks.end,
  ].join('\n');
}

/** Who fails which sentence, as judged: targets/judged.md. */
export function judgedText(targets: readonly Target[], history: readonly Past[]): string {
  return [
    '# What public packages fail, as judged',
    '',
    'Made of `expected.yaml` of each target by `npm run targets -- --document`: [how](README.md).',
    ...targets.flatMap((target) => section(target, history)),
    '',
  ].join('\n');
}

/** The document with its generated part made anew. */
export function withTargets(document: string, text: string): string {
  const begin = document.indexOf(marks.begin);
  const end = document.indexOf(marks.end);
  if (begin < 0 || end < begin) throw new Error('the document has no marks of the generated part');
  return `${document.slice(0, begin)}${text}${document.slice(end + marks.end.length)}`;
}
