import { totalOf } from '../../../packs/settings.js';
import { nearest, suggestion } from '../../model/nearest.js';
import { TckError } from '../../model/tck-error.js';
import type { Report } from '../../report/index.js';
import { plural } from '../../wire/text/text.js';
import type { CliArguments } from '../cli-options.js';
import type { LastRun } from '../last-run.js';
import type { Settings } from '../settings.js';
import type { Terminal } from '../terminal.js';

/** `rest`: words that are not options. They are checked here, because `run` is the command when none is named. */
export async function runCommand(
  given: CliArguments,
  rest: readonly string[],
  commands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const [word] = rest;
  if (word !== undefined) {
    if (/^https?:/.test(word)) throw new TckError('usage', `${word} needs --url before it`, `a2a-tck --url ${word}`);
    // After options the word may be part of a value without quotes, such as a header.
    const isMeant = Object.keys(given).length === 0 || nearest(word, commands).length > 0;
    const hint = isMeant
      ? suggestion(word, commands, `commands: ${commands.join(', ')}`)
      : "a value with spaces needs quotes: --header 'Name: value'";
    throw new TckError('usage', `unknown command ${isMeant ? word : '[hidden]'}`, hint);
  }
  const { startThreadAhead } = await import('../../isolation/index.js');
  startThreadAhead();
  const { readSettings } = await import('../settings.js');
  const settings = await readSettings(given, terminal);
  if (given.replayTape !== undefined) {
    const { onTape } = await import('../stored-report.js');
    const { runAndReport } = await import('../run-and-report.js');
    return runAndReport(...(await onTape(given.replayTape, settings, given)), terminal);
  }
  const { checkTarget } = await import('../target-check.js');
  const url = await checkTarget(settings, given, terminal);
  const { findingsFolder, lastRun, remember, rememberFindings } = await import('../last-run.js');
  const here = process.cwd();
  const { runAndReport } = await import('../run-and-report.js');
  const isOpenOnly = given.lastFailed === true || given.lastUnproven === true;
  const chosen = isOpenOnly ? onlyOpen(settings, given, lastRun(here, url), terminal) : settings;
  if (settings.target.dryRun === true) {
    const { dryRun } = await import('../dry-run.js');
    return dryRun(url, chosen, terminal);
  }
  const findings = findingsFolder(here);
  const work = (chosenSettings: Settings, onReport?: (report: Report) => void): Promise<number> =>
    runAndReport(url, findings === undefined ? chosenSettings : { ...chosenSettings, findings }, terminal, {
      onReport: (report) => {
        remember(here, url, report);
        rememberFindings(here, report);
        onReport?.(report);
      },
    });
  if (given.watch === undefined) return work(chosen);
  const { watched } = await import('../watching.js');
  return watched(url, given.watch === true ? [] : given.watch, await withPurse(chosen), work, terminal);
}

/** The settings of runs that have one total for their payments. */
async function withPurse(settings: Settings): Promise<Settings> {
  const total = await totalOf([settings.target]);
  return total === undefined ? settings : { ...settings, target: total.shared(settings.target) };
}

/** The settings of a run of what was open before. Throws `TckError('usage')` without an earlier run. */
function onlyOpen(
  settings: Settings,
  { suite, check, updateBaseline, lastFailed = false, lastUnproven = false }: CliArguments,
  last: LastRun | undefined,
  terminal: Terminal,
): Settings {
  const option = [...(lastFailed ? ['--last-failed'] : []), ...(lastUnproven ? ['--last-unproven'] : [])].join(' ');
  if (suite !== undefined || check !== undefined || updateBaseline === true) {
    throw new TckError(
      'usage',
      `${option} chooses the checks itself`,
      'leave --suite, --check and --update-baseline out',
    );
  }
  if (last === undefined) {
    throw new TckError('usage', 'no last run on this agent is stored in this folder', `run once without ${option}`);
  }
  const words = [...(lastFailed ? ['failed'] : []), ...(lastUnproven ? ['was inconclusive'] : [])].join(' or ');
  const open = [...(lastFailed ? last.failed : []), ...(lastUnproven ? last.unproven : [])];
  if (open.length === 0) {
    terminal.err(`a2a-tck: nothing ${words} in the last run: all checks run\n`);
    return settings;
  }
  const others =
    lastUnproven || last.unproven.length === 0
      ? ''
      : `; ${last.unproven.length} more were inconclusive (--last-unproven)`;
  terminal.err(`a2a-tck: ${plural(open.length, 'check')} that ${words} in the last run${others}\n`);
  const { fuzz, ...target } = settings.target;
  // Inputs for which the user did not ask belong to a run of all checks.
  const asked = fuzz === undefined || fuzz.unasked === true ? {} : { fuzz };
  return { ...settings, target: { ...target, ...asked, checks: open } };
}
