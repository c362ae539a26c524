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
  for (const [key, option, variable] of [
    [given.xprKey, '--xpr-key', 'A2A_TCK_XPR_KEY'],
    [given.x402Key, '--x402-key', 'A2A_TCK_X402_KEY'],
  ] as const) {
    if (key === undefined) continue;
    terminal.err(`Every user of this machine can read ${option}: better put the key into ${variable} or a file.\n`);
  }
  const { waitMs } = settings.target;
  if (waitMs !== undefined) terminal.err(`a2a-tck: waits up to ${waitMs / 1000} s for the card\n`);
  return settings.url;
}
