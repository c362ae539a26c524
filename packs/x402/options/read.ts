import { payingDialects } from '../../../src/dialect/index.js';
import { TckError } from '../../../src/model/index.js';
import type { ValuesOf } from '../../../src/options/shared/option.js';
import type { X402Target } from '../run/index.js';
import type { x402Options } from './rows.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The options of a run that matter here. */
type Given = ValuesOf<typeof x402Options> & { readonly profile?: string; readonly dryRun?: boolean };
/** Reads the key in the file of an option. */
type ReadKeyFile = (option: string, file: string) => string;

/** The key from the options, or else from A2A_TCK_X402_KEY. */
function readKey({ x402KeyFile, x402Key }: Given, env: Environment, readKeyFile: ReadKeyFile): string | undefined {
  if (x402KeyFile !== undefined && x402Key !== undefined) {
    throw new TckError('usage', '--x402-key and --x402-key-file do not go together', 'a file is safer');
  }
  if (x402KeyFile !== undefined) return readKeyFile('--x402-key-file', x402KeyFile);
  const found = (x402Key ?? env['A2A_TCK_X402_KEY'])?.trim();
  return found === '' ? undefined : found;
}

const atomic = (amount: string | number | undefined): string | undefined =>
  amount === undefined ? undefined : String(amount);

/** The options of payments; undefined without `--x402`. Throws `TckError('usage')`. */
export function readX402(given: Given, env: Environment, readKeyFile: ReadKeyFile): { readonly x402?: X402Target } {
  const { x402 = false, profile = 'auto' } = given;
  const members = {
    message: given.x402Message,
    maxAmount: atomic(given.x402MaxAmount),
    maxTotal: atomic(given.x402MaxTotal),
    allowNetworks: given.x402AllowNetwork,
    assets: given.x402Asset,
    allowUpfront: given.x402AllowUpfront,
    timeoutMs: given.x402Timeout,
    // Without payments it is about the whole run.
    dryRun: x402 ? given.dryRun : undefined,
    stub: given.x402Stub,
  };
  const found = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
  if (!x402) {
    const isGiven = Object.keys(found).length > 0 || given.x402Key !== undefined || given.x402KeyFile !== undefined;
    if (!isGiven) return {};
    throw new TckError('usage', '--x402-* have no effect without --x402', 'give --x402 too');
  }
  if (profile !== 'auto' && !payingDialects.some(({ id }) => id === profile)) {
    throw new TckError('usage', `--profile ${profile} has no payments, so --x402 has no effect`, '--profile a2a-1.0');
  }
  const key = readKey(given, env, readKeyFile);
  return { x402: { ...found, ...(key === undefined ? {} : { key }) } };
}
