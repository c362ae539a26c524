import type { FuzzTarget } from '../../index.js';
import { TckError } from '../../model/tck-error.js';
import { checkFolder, corpusWriter, readCases, writeFinding } from '../case-folder.js';
import type { CliArguments } from '../cli-options.js';
import { perSecond } from '../rate.js';
import { checkTarget } from '../target-check.js';
import type { Terminal } from '../terminal.js';

const usualRuns = 1000;
const usualFolder = 'a2a-tck-findings';

/**
 * Collects the errors of writing, for instance on a full disk: findings are still reported, and the first error is
 * thrown at the end.
 */
function createWriting() {
  let failed: { readonly error: unknown } | undefined;
  return {
    /** Makes a `write` that never throws. */
    kept:
      <T extends readonly unknown[]>(write: (...all: T) => void) =>
      (...all: T): void => {
        try {
          write(...all);
        } catch (error) {
          failed ??= { error };
        }
      },
    /** Throws the first error of writing, if there was one. */
    end(): void {
      if (failed !== undefined) throw failed.error;
    },
  };
}
type Writing = ReturnType<typeof createWriting>;

async function campaignOf(given: CliArguments, writing: Writing): Promise<FuzzTarget> {
  const { runs = usualRuns, time, rate, corpus, replay, confirm, unguided, concurrency = 1 } = given;
  if (replay !== undefined && (corpus !== undefined || given.runs !== undefined)) {
    throw new TckError('usage', '--replay runs stored cases and no others', 'leave --corpus and --runs out');
  }
  const terminalLines = {
    runs,
    alone: true,
    concurrency,
    ...(time === undefined ? {} : { timeMs: 1000 * time }),
    ...(rate === undefined ? {} : { rate: perSecond(rate) }),
    ...(confirm === undefined ? {} : { confirmations: confirm }),
    guided: unguided !== true,
  };
  if (replay !== undefined) {
    const cases = await readCases(replay);
    if (cases.length === 0) throw new TckError('config', `${replay} holds no case`, 'promote a finding into it');
    return { ...terminalLines, replay: cases };
  }
  if (corpus === undefined) return terminalLines;
  const onKept = writing.kept(corpusWriter(corpus));
  return { ...terminalLines, corpus: await readCases(corpus), onKept };
}

/** Runs generated inputs in place of checks. */
export async function fuzzCommand(given: CliArguments, terminal: Terminal): Promise<number> {
  const { startThreadAhead } = await import('../../isolation/index.js');
  startThreadAhead();
  const { readTold, resolveSettings } = await import('../settings.js');
  const all = await readTold(given, terminal);
  const settings = resolveSettings(all, terminal.env);
  const url = await checkTarget(settings, given, terminal);
  const writing = createWriting();
  const fuzz = await campaignOf(all, writing);
  // The findings of a replay are stored already: it writes only where it is asked to.
  const folder = all.out ?? (all.replay === undefined ? usualFolder : undefined);
  if (folder !== undefined) checkFolder(folder);
  const { rememberFindings } = await import('../last-run.js');
  const { runAndReport } = await import('../run-and-report.js');
  const { maxTimeMs, ...target } = settings.target;
  // A campaign has its own limits, the number of cases and `--time`: the default time limit of a run does not apply.
  const timed = all.maxTime === undefined || maxTimeMs === undefined ? {} : { maxTimeMs };
  const code = await runAndReport(
    url,
    { ...settings, target: { ...target, ...timed, fuzz }, ...(folder === undefined ? {} : { findings: folder }) },
    terminal,
    folder === undefined
      ? {}
      : {
          onReport: (report) => rememberFindings(process.cwd(), report, folder),
          onFinding: writing.kept(({ id, replay, script }) => writeFinding(folder, id, replay, script)),
        },
  );
  writing.end();
  return code;
}
