import { TckError } from '../../model/tck-error.js';
import type { GivenArguments } from '../given.js';
import { suggestion } from '../nearest.js';
import type { Terminal } from '../terminal.js';

/** `rest`: words that are no option. They are told apart here, since this is the command when none is named. */
export async function runCommand(
  given: GivenArguments,
  rest: readonly string[],
  commands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const [word] = rest;
  if (word !== undefined) {
    // Behind options it may be the rest of a value that was not quoted, such as a header.
    if (Object.keys(given).length > 0) {
      throw new TckError('usage', 'there is a word that belongs to no option', "quote values: --header 'Name: value'");
    }
    if (/^https?:/.test(word)) throw new TckError('usage', `${word} needs --url before it`, `a2a-tck --url ${word}`);
    throw new TckError(
      'usage',
      `there is no command ${word}`,
      suggestion(word, commands, `commands: ${commands.join(', ')}`),
    );
  }
  const { readSettings } = await import('../settings.js');
  const settings = await readSettings(given, terminal.env);
  const { checkTarget } = await import('../target-check.js');
  const url = await checkTarget(settings, given, terminal);
  const { judge } = await import('../judging.js');
  return judge(url, settings, terminal);
}
