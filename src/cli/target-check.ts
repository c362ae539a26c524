import { TckError } from '../model/tck-error.js';
import type { CliArguments } from './cli-options.js';
import type { Settings } from './settings.js';
import type { Terminal } from './terminal.js';

/** Checks the options before anything is opened or sent. Returns the URL of the agent. */
export async function checkTarget(settings: Settings, given: CliArguments, terminal: Terminal): Promise<string> {
  if (settings.url === undefined) {
    throw new TckError(
      'usage',
      'no agent to test',
      'a2a-tck --url http://localhost:4000, or a2a-tck demo to see it at work',
    );
  }
  const { parseTargetUrl } = await import('../wire/index.js');
  parseTargetUrl(settings.url);
  const { namedDialect } = await import('./named.js');
  namedDialect(settings.target.profile);
  const { optionsIn } = await import('../options/index.js');
  const values: Readonly<Record<string, unknown>> = { ...given };
  for (const [name, { secret }] of optionsIn('command line')) {
    const isGiven = values[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())] !== undefined;
    if (!isGiven || secret !== 'value' || !name.endsWith('-key')) continue;
    const variable = `A2A_TCK_${name.replaceAll('-', '_').toUpperCase()}`;
    terminal.err(`Every user of this machine can read --${name}: better put the key into ${variable} or a file.\n`);
  }
  const { waitMs } = settings.target;
  if (waitMs !== undefined) terminal.err(`a2a-tck: waits up to ${waitMs / 1000} s for the card\n`);
  return settings.url;
}
