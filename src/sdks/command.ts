import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { createSemaphore, TckError } from '../model/index.js';
import { judgedText, targetsText, withTargets } from './document.js';
import { draftOf } from './draft.js';
import { pastOf, readHistory, record } from './history.js';
import { type Judging, judged, kitKeyOf, type Outcome, resultsOf } from './judge.js';
import { lettersOf } from './letters.js';
import { nameOf, readTargets, type Target } from './manifest.js';
import { tablePage } from './page.js';
import { tableOf } from './table.js';

const usage = `npm run targets [-- options and ids of targets]

  --list               the targets, and nothing else
  --language <names>   only those in these languages, with commas between them
  --role <name>        server or client
  --again              run what was judged before, too
  --stored             build and run nothing: look at the runs of before, whatever changed since
  --at-once <n>        targets at work at a time: 1 or 2 (default: 2)
  --page <folder>      the table as index.html and targets.json
  --record             add lines to targets/history.ndjson, and write the documents anew
  --document           write docs/targets.md and targets/judged.md anew, without a run
  --draft              entries of expected.yaml for failures that a person has not judged
  --reports            drafts of reports to authors, of the entries of expected.yaml with "tell"
  --targets <folder>   other targets than those of the repository
  --cache <folder>     builds and runs (default: .a2a-tck/targets)

Exit codes: 0 all as judged or skipped, 1 something differs, 2 wrong usage or a wrong manifest, 3 a target does not build
or start.
`;

const options = {
  list: { type: 'boolean' },
  language: { type: 'string' },
  role: { type: 'string' },
  again: { type: 'boolean' },
  stored: { type: 'boolean' },
  'at-once': { type: 'string', default: '2' },
  page: { type: 'string' },
  record: { type: 'boolean' },
  document: { type: 'boolean' },
  draft: { type: 'boolean' },
  reports: { type: 'boolean' },
  cache: { type: 'string' },
  targets: { type: 'string' },
  help: { type: 'boolean' },
} as const;

type Print = (text: string) => void;

function parsed(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw new TckError('usage', error instanceof Error ? error.message : String(error));
  }
}

function chosen(all: readonly Target[], ids: readonly string[], language?: string, role?: string): readonly Target[] {
  const unknown = ids.filter((id) => !all.some(({ manifest }) => manifest.id === id));
  if (unknown.length > 0) throw new TckError('usage', `unknown target ${unknown.join(', ')}; --list names all`);
  const languages = language?.split(',');
  return all.filter(
    ({ manifest }) =>
      (ids.length === 0 || ids.includes(manifest.id)) &&
      (languages === undefined || languages.includes(manifest.language)) &&
      (role === undefined || role === manifest.role),
  );
}

const words: Readonly<Record<string, string>> = {
  new: 'NEW',
  mended: 'MENDED',
  'not-shown': 'NOT SHOWN',
  told: 'SHOWN NOW',
  level: 'LEVEL',
  'kit-error': 'KIT ERROR',
  profile: 'SPEAKS',
};

function lineOf({ target: { manifest, expected }, comparison, reason, state }: Outcome): string {
  const lines = (comparison?.deviations ?? []).map(
    ({ kind, id, text }) => `  ${(words[kind] ?? kind).padEnd(10)} ${id}${id === '' ? '' : ': '}${text.slice(0, 200)}`,
  );
  const of = nameOf(manifest);
  const bump = `  judged was ${expected.of}${lines.length === 0 ? ', of which nothing differs: write `of` anew' : ''}`;
  const about = [
    ...(reason === undefined ? [] : [`  ${reason}`]),
    ...(expected.of === of || comparison === undefined ? [] : [bump]),
  ];
  return lines.length + about.length === 0 ? '' : `${manifest.id}: ${state}\n${[...about, ...lines].join('\n')}\n`;
}

const seconds = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(0));

/** The table of targets at the end of a run. */
function summary(outcomes: readonly Outcome[]): string {
  const rows = outcomes.map(({ target: { manifest }, state, comparison, buildSeconds, runSeconds, isStored, run }) => [
    manifest.id,
    nameOf(manifest),
    state === 'skipped' || (state === 'broken' && run === undefined && buildSeconds === undefined) ? 'no' : 'yes',
    isStored === true ? 'before' : run === undefined ? 'no' : 'yes',
    comparison === undefined
      ? ''
      : `${comparison.asExpected}${comparison.racing === 0 ? '' : ` + ${comparison.racing}`}`,
    comparison === undefined ? '' : String(comparison.deviations.length),
    seconds(buildSeconds),
    seconds(runSeconds ?? run?.seconds),
    state,
  ]);
  const head = ['target', 'package', 'built', 'run', 'as judged', 'differ', 'build s', 'run s', 'state'];
  const widths = head.map((text, at) => Math.max(text.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(head), ...rows.map(line), ''].join('\n');
}

const exitCodeOf = (outcomes: readonly Outcome[]): number => {
  if (outcomes.some(({ state }) => state === 'broken')) return 3;
  return outcomes.some(({ state }) => state === 'differs') ? 1 : 0;
};

async function carriedOut(
  args: readonly string[],
  root: string,
  print: Print,
  kit?: readonly string[],
): Promise<number> {
  const { values, positionals } = parsed(args);
  if (values.help === true) {
    print(usage);
    return 0;
  }
  const folder = values.targets === undefined ? join(root, 'targets') : resolve(values.targets);
  const all = readTargets(folder);
  const targets = chosen(all, positionals, values.language, values.role);
  const document = join(root, 'docs/targets.md');
  const history = join(folder, 'history.ndjson');
  const rewrite = () => {
    // Targets that stand elsewhere are not those of the document.
    if (values.targets !== undefined) return;
    const past = readHistory(history);
    writeFileSync(document, withTargets(readFileSync(document, 'utf8'), targetsText(all, past)));
    writeFileSync(join(folder, 'judged.md'), judgedText(all, past));
  };
  if (values.list === true) {
    for (const { manifest } of targets) print(`${manifest.id.padEnd(24)} ${manifest.role} ${nameOf(manifest)}\n`);
    return 0;
  }
  if (values.document === true) {
    rewrite();
    return 0;
  }
  const atOnce = Number(values['at-once']);
  if (atOnce !== 1 && atOnce !== 2) throw new TckError('usage', '--at-once is 1 or 2');
  const bundle = join(root, 'dist/bundle');
  const judging: Judging = {
    root,
    cache: values.cache === undefined ? join(root, '.a2a-tck/targets') : resolve(values.cache),
    kit: kit ?? [process.execPath, join(bundle, 'cli.js')],
    kitKey: kit === undefined ? kitKeyOf(bundle) : kit.join(' '),
    again: values.again === true,
    stored: values.stored === true,
    prompts: parse(readFileSync(join(folder, 'prompts.yaml'), 'utf8')) as Record<string, string>,
  };
  mkdirSync(judging.cache, { recursive: true });
  const slots = createSemaphore(atOnce);
  const outcomes = await Promise.all(
    targets.map((target) =>
      slots.withPermit(async () => {
        const outcome = await judged(target, judging);
        print(lineOf(outcome));
        return outcome;
      }),
    ),
  );
  if (values.draft === true)
    for (const { target, run, comparison } of outcomes) {
      const fresh = new Set(comparison?.deviations.filter(({ kind }) => kind === 'new').map(({ id }) => id));
      if (run === undefined || fresh.size === 0) continue;
      const results = resultsOf(run).filter(({ id }) => fresh.has(id));
      print(`# ${target.manifest.id}\n${draftOf(results, target.manifest)}`);
    }
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  if (values.record === true) {
    record(
      history,
      outcomes.flatMap((outcome) => pastOf(outcome, version) ?? []),
    );
    rewrite();
  }
  if (values.reports === true)
    for (const outcome of outcomes)
      for (const { name, text } of lettersOf(outcome)) {
        const place = join(outcome.target.folder, 'reports');
        mkdirSync(place, { recursive: true });
        writeFileSync(join(place, name), text);
      }
  if (values.page !== undefined) {
    const out = resolve(values.page);
    mkdirSync(out, { recursive: true });
    const table = tableOf(outcomes, { name: 'a2a-tck', version }, new Date().toISOString());
    writeFileSync(join(out, 'targets.json'), `${JSON.stringify(table)}\n`);
    writeFileSync(join(out, 'index.html'), tablePage(table));
  }
  print(summary(outcomes));
  return exitCodeOf(outcomes);
}

/**
 * `npm run targets`: carries out what the arguments say, and resolves with the exit code. `root`: the repository. `kit`:
 * the command line that judges, in place of the built kit.
 */
export async function targetsCommand(
  args: readonly string[],
  root: string,
  print: Print,
  kit?: readonly string[],
): Promise<number> {
  try {
    return await carriedOut(args, root, print, kit);
  } catch (error) {
    if (!(error instanceof TckError)) throw error;
    print(`${error.message}\n`);
    return 2;
  }
}
