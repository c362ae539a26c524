import type { FuzzTarget } from '../../index.js';
import { TckError } from '../../model/tck-error.js';
import { corpusWriter, readCases, writeFinding } from '../case-folder.js';
import type { GivenArguments } from '../given.js';
import { checkTarget } from '../target-check.js';
import type { Terminal } from '../terminal.js';

const usualRuns = 1000;
const usualFolder = 'a2a-tck-findings';

async function campaignOf(given: GivenArguments): Promise<FuzzTarget> {
  const { runs = usualRuns, time, rate, corpus, replay, confirm, unguided, concurrency = 1 } = given;
  if (replay !== undefined && (corpus !== undefined || given.runs !== undefined)) {
    throw new TckError('usage', '--replay runs stored cases and no others', 'leave --corpus and --runs out');
  }
  const told = {
    runs,
    alone: true,
    concurrency,
    ...(time === undefined ? {} : { timeMs: 1000 * time }),
    ...(rate === undefined ? {} : { rate }),
    ...(confirm === undefined ? {} : { confirmations: confirm }),
    guided: unguided !== true,
  };
  if (replay !== undefined) return { ...told, replay: await readCases(replay) };
  if (corpus === undefined) return told;
  const onKept = corpusWriter(corpus);
  return { ...told, corpus: await readCases(corpus), onKept };
}

/** Generated inputs in place of checks. */
export async function fuzzCommand(given: GivenArguments, terminal: Terminal): Promise<number> {
  const { readGiven, settle } = await import('../settings.js');
  const all = await readGiven(given);
  const settings = settle(all, terminal.env);
  const url = await checkTarget(settings, given, terminal);
  const fuzz = await campaignOf(all);
  const folder = all.out ?? usualFolder;
  const { judge } = await import('../judging.js');
  return judge(url, { ...settings, target: { ...settings.target, fuzz }, findings: folder }, terminal, {
    onFinding: ({ id, replay, script }) => writeFinding(folder, id, replay, script),
  });
}
