import { readFileSync } from 'node:fs';
import { TckError } from '../model/tck-error.js';
import type { XprTarget } from '../xpr-target.js';
import { causeOf } from './cause.js';
import type { Given } from './given.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A key: from a file, from the environment, or from the arguments. Errors never quote it. */
function readKey(what: '' | 'second-' | 'unregistered-', given: Given, env: Environment): string | undefined {
  const files = {
    '': given.xprKeyFile,
    'second-': given.xprSecondKeyFile,
    'unregistered-': given.xprUnregisteredKeyFile,
  };
  const file = files[what];
  if (file !== undefined) {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch (error) {
      throw new TckError('usage', `--xpr-${what}key-file ${file} cannot be read: ${causeOf(error)}`);
    }
  }
  const variable = `A2A_TCK_XPR_${what.replace('-', '_').toUpperCase()}KEY`;
  const key = env[variable]?.trim();
  if (key !== undefined && key !== '') return key;
  return what === '' ? given.xprKey : undefined;
}

/** Only who names an account signs with the key in the environment. */
const keyFor = (what: '' | 'second-' | 'unregistered-', account: string | undefined, given: Given, env: Environment) =>
  account === undefined ? undefined : readKey(what, given, env);

/** The options of the XPR dialect; undefined when none was given. Throws `TckError('usage')`. */
export function readXpr(given: Given, env: Environment): { readonly xpr?: XprTarget } {
  const { xprAccount, xprSecondAccount, xprUnregisteredAccount } = given;
  if (given.xprKey !== undefined && xprAccount === undefined) {
    throw new TckError('usage', '--xpr-key has no account', 'give --xpr-account');
  }
  const entries = {
    account: xprAccount,
    key: keyFor('', xprAccount, given, env),
    secondAccount: xprSecondAccount,
    secondKey: keyFor('second-', xprSecondAccount, given, env),
    unregisteredAccount: xprUnregisteredAccount,
    unregisteredKey: keyFor('unregistered-', xprUnregisteredAccount, given, env),
    digest: given.xprDigest,
    audience: given.xprAudience,
    chainId: given.xprChainId,
    rpc: given.xprRpc,
    rate: given.xprRate,
    allowSend: given.xprAllowSend,
    slow: given.slow,
    minKyc: given.xprMinKyc,
    minTrust: given.xprMinTrust,
    lab: given.xprLab,
  };
  const found = Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
  if (Object.keys(found).length === 0) return {};
  const { profile = 'auto' } = given;
  const isSlowOnly = Object.keys(found).every((name) => name === 'slow');
  if (profile !== 'auto' && !profile.startsWith('xpr') && !isSlowOnly) {
    throw new TckError('usage', `--profile ${profile} signs no requests: --xpr-* says nothing to it`, '--profile xpr');
  }
  return { xpr: found };
}
