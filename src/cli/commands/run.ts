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
    if (/^https?:/.test(word)) throw new TckError('usage', `${word} needs --url before it`, `a2a-tck --url ${word}`);
    throw new TckError(
      'usage',
      `there is no command ${word}`,
      suggestion(word, commands, `commands: ${commands.join(', ')}`),
    );
  }
  const { readSettings } = await import('../settings.js');
  const settings = await readSettings(given, terminal.env);
  if (settings.url === undefined) {
    throw new TckError(
      'usage',
      'no agent to test',
      'a2a-tck --url http://localhost:4000, or a2a-tck demo to see it at work',
    );
  }
  // What is wrong with the options is told before anything is opened or sent.
  const { parseTargetUrl } = await import('../../run/index.js');
  parseTargetUrl(settings.url);
  const { namedDialect } = await import('../named.js');
  namedDialect(settings.target.profile);
  if (given.xprKey !== undefined) {
    terminal.err('Everybody on this machine can read --xpr-key: better put the key into A2A_TCK_XPR_KEY or a file.\n');
  }
  if (given.x402Key !== undefined) {
    terminal.err(
      'Everybody on this machine can read --x402-key: better put the key into A2A_TCK_X402_KEY or a file.\n',
    );
  }
  const { judge } = await import('../judging.js');
  return judge(settings.url, settings, terminal);
}
