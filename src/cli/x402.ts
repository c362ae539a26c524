import { readFileSync } from 'node:fs';
import { TckError } from '../model/tck-error.js';
import type { X402Target } from '../x402-target.js';
import type { Given } from './given.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** More is no key, and some files never end. */
const longestFile = 4096;

/** Errors quote neither the key nor the name of the file, which may be the key itself. */
function readFile(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code = 'no file' } = error as NodeJS.ErrnoException;
    throw new TckError(
      'usage',
      `--x402-key-file: the file cannot be read (${code})`,
      'give the name of a file that holds the key',
    );
  }
  if (text === '' || text.length > longestFile) {
    throw new TckError('usage', '--x402-key-file: there is no key in the file', 'it holds the key and nothing else');
  }
  return text;
}

/** What was given wins over the environment. */
function readKey({ x402KeyFile, x402Key }: Given, env: Environment): string | undefined {
  if (x402KeyFile !== undefined && x402Key !== undefined) {
    throw new TckError('usage', '--x402-key and --x402-key-file do not go together', 'a file is safer');
  }
  if (x402KeyFile !== undefined) return readFile(x402KeyFile);
  const found = (x402Key ?? env['A2A_TCK_X402_KEY'])?.trim();
  return found === '' ? undefined : found;
}

const atomic = (amount: string | number | undefined): string | undefined =>
  amount === undefined ? undefined : String(amount);

/** The options of payments; undefined without `--x402`. Throws `TckError('usage')`. */
export function readX402(given: Given, env: Environment): { readonly x402?: X402Target } {
  const { x402 = false, profile = 'auto' } = given;
  const members = {
    message: given.x402Message,
    maxAmount: atomic(given.x402MaxAmount),
    maxTotal: atomic(given.x402MaxTotal),
    allowNetworks: given.x402AllowNetwork,
    assets: given.x402Asset,
    timeoutMs: given.x402Timeout,
    dryRun: given.dryRun,
    lab: given.x402Lab,
  };
  const found = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  if (!x402) {
    const isGiven = Object.keys(found).length > 0 || given.x402Key !== undefined || given.x402KeyFile !== undefined;
    if (!isGiven) return {};
    throw new TckError('usage', '--x402-* and --dry-run say nothing without --x402', 'give --x402 too');
  }
  if (profile !== 'auto' && profile !== 'a2a-0.3' && profile !== 'a2a-1.0') {
    throw new TckError('usage', `--profile ${profile} has no payments: --x402 says nothing to it`, '--profile a2a-1.0');
  }
  const key = readKey(given, env);
  return { x402: { ...found, ...(key === undefined ? {} : { key }) } };
}
