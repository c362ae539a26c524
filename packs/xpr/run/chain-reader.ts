import {
  brief,
  canParseUrl,
  isObject,
  isString,
  type JsonObject,
  member,
  stringMember,
  TckError,
} from '../../../src/model/index.js';
import { plural } from '../../../src/wire/index.js';
import type { XprCaller } from '../shared/scene.js';
import { publicKeyText, readPublicKey } from '../signing/index.js';
import type { ChainReader, KeysTold } from './options.js';

// This file loads @proton/js: import it only where a chain is asked.

/** Milliseconds. */
const patienceMs = 5000;

interface ChainPermissionSeen {
  readonly name: string;
  readonly threshold: number;
  /** Weight by the text `PUB_K1_…`. */
  readonly weights: ReadonlyMap<string, number>;
}

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : Number.NaN);

/** Keys of other curves cannot sign for the kit, and are left out. */
function weightsOf(keys: unknown): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const entry of Array.isArray(keys) ? keys : []) {
    const text = member(entry, 'key');
    try {
      if (isString(text)) found.set(publicKeyText(readPublicKey(text)), numberOf(member(entry, 'weight')));
    } catch {}
  }
  return found;
}

function permissionsOf(account: unknown): readonly ChainPermissionSeen[] {
  const list = member(account, 'permissions');
  return (Array.isArray(list) ? list : []).filter(isObject).map((permission) => ({
    name: stringMember(permission, 'perm_name') ?? '',
    threshold: numberOf(member(member(permission, 'required_auth'), 'threshold')),
    weights: weightsOf(member(member(permission, 'required_auth'), 'keys')),
  }));
}

const isEnough = ({ threshold, weights }: ChainPermissionSeen, key: string): boolean =>
  (weights.get(key) ?? 0) >= threshold;

/** How a correct agent should treat this key, by the permissions of its account. */
export function keysTold({ account, key }: XprCaller, permissions: readonly ChainPermissionSeen[]): KeysTold {
  const mine = publicKeyText(key.publicKey);
  const active = permissions.find(({ name }) => name === 'active');
  const lines = [`the chain: ${account} has no active permission`];
  if (active !== undefined) {
    const alone = [...active.weights.keys()].filter((key) => isEnough(active, key)).length;
    const keys = plural(active.weights.size, 'key');
    lines[0] = `the chain: ${account} has ${keys} on active, and ${plural(alone, 'that suffices', 'that suffice')} alone (threshold ${active.threshold})`;
  }
  const holds = permissions.filter(({ weights }) => weights.has(mine));
  if (holds.length === 0) lines.push(`the given key does not belong to ${account}: a correct agent refuses it`);
  for (const permission of holds) {
    const enough = isEnough(permission, mine)
      ? ''
      : `, where its weight does not reach the threshold ${permission.threshold}`;
    lines.push(`the key that was given is on ${permission.name} of ${account}${enough}${acceptedBy(permission.name)}`);
  }
  const suffices = holds.some((permission) => permission.name === 'active' && isEnough(permission, mine));
  return suffices ? { lines } : { lines, doubt: lines.at(-1) ?? 'the key does not belong to the account' };
}

function acceptedBy(permission: string): string {
  if (permission === 'active') return '';
  return permission === 'a2a' ? '; agents that verify three lines refuse it' : '; agents refuse it';
}

/** The URL in a form that is safe to print. Throws `TckError('usage')`. */
function checkedUrl(text: string): string {
  const url = canParseUrl(text) ? new URL(text) : undefined;
  const hint = 'give an absolute URL such as https://rpc.example';
  if (url === undefined) throw new TckError('usage', `--xpr-rpc ${text} is not a URL`, hint);
  if (!/^https?:$/.test(url.protocol)) throw new TckError('usage', `--xpr-rpc ${text} is neither http nor https`, hint);
  if (url.username !== '' || url.password !== '') throw new TckError('usage', '--xpr-rpc has credentials in it', hint);
  return url.href;
}

/** The timeout of the library stops when the head of the answer has come; this one does not. */
function inTime<T>(asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer in time')), patienceMs);
    asked.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The message of an exception of the library: its own text, or that of the node. */
function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return words === '' || words === 'undefined' ? 'the answer is not from a chain' : words;
}

/** An optional peer of the package, since few runs need it and it brings 32 packages. */
async function library(): Promise<Pick<typeof import('@proton/js'), 'JsonRpc'>> {
  try {
    return await import('@proton/js');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'@proton/js'`)) throw error;
    throw new TckError(
      'config',
      '--xpr-rpc needs the package @proton/js, which is not installed',
      'npm install @proton/js@29 where a2a-tck is installed; npx takes both with --package',
    );
  }
}

/**
 * Reads from an RPC endpoint of the chain. Throws `TckError('usage')` for an invalid URL, `TckError('config')` where
 * @proton/js is not installed; each method rejects with `TckError('config')` when the answer cannot be read.
 */
export async function createChainReader(given: string): Promise<ChainReader> {
  const url = checkedUrl(given);
  const { JsonRpc } = await library();
  const rpc = new JsonRpc(url, { timeout: patienceMs });
  async function ask(what: string, path: string, body: object): Promise<JsonObject> {
    let answer: unknown;
    try {
      // The named methods of the library print failures on stdout, where a report may go.
      answer = await inTime(rpc.fetch(`/v1/chain/${path}`, body, 0, false));
    } catch (error) {
      throw new TckError('config', `--xpr-rpc ${url}: ${what} cannot be read: ${brief(wordsOf(error), 200)}`);
    }
    if (isObject(answer)) return answer;
    throw new TckError('config', `--xpr-rpc ${url}: ${what} cannot be read: ${brief(answer, 200)}`);
  }
  return {
    async chainId() {
      const { chain_id: found } = await ask('the chain id', 'get_info', {});
      if (isString(found) && /^[0-9a-f]{64}$/.test(found)) return found;
      throw new TckError('config', `--xpr-rpc ${url} names no chain id: ${brief(found)}`);
    },
    async keysOf(caller) {
      const { account } = caller;
      const found = await ask(`the account ${account}`, 'get_account', { account_name: account });
      const permissions = permissionsOf(found);
      if (permissions.length > 0) return keysTold(caller, permissions);
      throw new TckError('config', `--xpr-rpc ${url}: the account ${account} has no permissions: ${brief(found, 200)}`);
    },
  };
}
