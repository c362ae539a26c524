import { TckError } from '../../model/tck-error.js';
import type { CliArguments } from '../cli-options.js';
import { nearest, suggestion } from '../nearest.js';
import type { Terminal } from '../terminal.js';

/** `rest`: words that are no option. They are checked here, because `run` is the command when none is named. */
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
    throw new TckError('usage', `there is no command ${isMeant ? word : '[hidden]'}`, hint);
  }
  const { startThreadAhead } = await import('../../isolation/index.js');
  startThreadAhead();
  const { readSettings } = await import('../settings.js');
  const settings = await readSettings(given, terminal.env);
  const { checkTarget } = await import('../target-check.js');
  const url = await checkTarget(settings, given, terminal);
  const { runAndReport } = await import('../run-and-report.js');
  return runAndReport(url, settings, terminal);
}
