import { TckError } from '../../../src/model/index.js';
import type { ValuesOf } from '../../../src/options/shared/option.js';
import type { XprTarget } from '../run/index.js';
import type { xprOptions } from './rows.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The options of a run that matter here. */
type Given = ValuesOf<typeof xprOptions> & { readonly profile?: string; readonly slow?: boolean };
/** Reads the key in the file of an option. */
type ReadKeyFile = (option: string, file: string) => string;

interface Options {
  /** Part of the names of the options. */
  readonly whose: '' | 'second-' | 'unregistered-';
  readonly account: string | undefined;
  readonly file: string | undefined;
  readonly key: string | undefined;
}

/** The key of an account, from the options or else from the environment. Errors never quote it. */
function readKey(
  { whose, account, file, key }: Options,
  env: Environment,
  readKeyFile: ReadKeyFile,
): string | undefined {
  const given = file === undefined ? key : readKeyFile(`--xpr-${whose}key-file`, file);
  if (file !== undefined && key !== undefined) {
    throw new TckError('usage', '--xpr-key and --xpr-key-file do not go together', 'a file is safer');
  }
  if (account === undefined) {
    if (given === undefined) return undefined;
    const option = file === undefined ? `--xpr-${whose}key` : `--xpr-${whose}key-file`;
    throw new TckError('usage', `${option} has no account`, `give --xpr-${whose}account`);
  }
  if (given !== undefined) return given;
  // The key in the environment is used only if an account is given.
  const inEnvironment = env[`A2A_TCK_XPR_${whose.replace('-', '_').toUpperCase()}KEY`]?.trim();
  return inEnvironment === '' ? undefined : inEnvironment;
}

/** The options of the XPR dialect; undefined when none was given. Throws `TckError('usage')`. */
export function readXpr(given: Given, env: Environment, readKeyFile: ReadKeyFile): { readonly xpr?: XprTarget } {
  const { xprAccount: account, xprSecondAccount: secondAccount, xprUnregisteredAccount: unregisteredAccount } = given;
  const second = { account: secondAccount, file: given.xprSecondKeyFile, key: undefined };
  const unregistered = { account: unregisteredAccount, file: given.xprUnregisteredKeyFile, key: undefined };
  const entries = {
    account,
    key: readKey({ whose: '', account, file: given.xprKeyFile, key: given.xprKey }, env, readKeyFile),
    secondAccount,
    secondKey: readKey({ whose: 'second-', ...second }, env, readKeyFile),
    unregisteredAccount,
    unregisteredKey: readKey({ whose: 'unregistered-', ...unregistered }, env, readKeyFile),
    digest: given.xprDigest,
    audience: given.xprAudience,
    chainId: given.xprChainId,
    rpc: given.xprRpc,
    rate: given.xprRate,
    allowSend: given.xprAllowSend,
    slow: given.slow,
    minKyc: given.xprMinKyc,
    minTrust: given.xprMinTrust,
    stub: given.xprStub,
  };
  const found = Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
  const names = Object.keys(found);
  if (names.length === 0) return {};
  const { profile = 'auto' } = given;
  // `--slow` fits other profiles too, which may have time windows to wait for.
  const isSlowOnly = names.every((name) => name === 'slow');
  if (profile !== 'auto' && !profile.startsWith('xpr') && !isSlowOnly) {
    throw new TckError('usage', `--profile ${profile} signs no requests, so --xpr-* has no effect`, '--profile xpr');
  }
  if (profile === 'xpr-v2' && given.xprDigest === 'v1') {
    throw new TckError('usage', '--profile xpr-v2 signs five lines, --xpr-digest v1 three', 'leave one of them out');
  }
  return { xpr: found };
}
