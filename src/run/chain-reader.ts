import type { XprCaller } from '../kit/index.js';
import { brief, isObject, isString, member, stringMember, TckError } from '../model/index.js';
import { publicKeyText, readPublicKey } from '../xpr/index.js';
import type { ChainReader } from './xpr.js';

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
  return (Array.isArray(list) ? list : []).filter(isObject).map((one) => ({
    name: stringMember(one, 'perm_name') ?? '',
    threshold: numberOf(member(member(one, 'required_auth'), 'threshold')),
    weights: weightsOf(member(member(one, 'required_auth'), 'keys')),
  }));
}

/** What an agent should make of this key, one line for each thing to know. */
export function keysTold({ account, key }: XprCaller, permissions: readonly ChainPermissionSeen[]): readonly string[] {
  const mine = publicKeyText(key.publicKey);
  const active = permissions.find(({ name }) => name === 'active');
  const lines = [
    active === undefined
      ? `the chain: ${account} has no active permission`
      : `the chain: an agent should accept ${active.weights.size} keys for ${account} (active, threshold ${active.threshold})`,
  ];
  const holds = permissions.filter(({ weights }) => weights.has(mine));
  if (holds.length === 0) lines.push(`the key that was given is none of ${account}: a right agent refuses it`);
  for (const { name, threshold, weights } of holds) {
    const weight = weights.get(mine) ?? 0;
    const enough = weight >= threshold ? '' : `; its weight ${weight} is below the threshold ${threshold}`;
    const other = name === 'active' ? '' : '; agents need accept those of active only';
    lines.push(`the key that was given is on the permission ${name} of ${account}${enough}${other}`);
  }
  return lines;
}

/** Asks an RPC endpoint of the chain. Each call throws `TckError('config')` when it cannot be read. */
export async function createChainReader(url: string): Promise<ChainReader> {
  const { JsonRpc } = await import('@proton/js');
  const rpc = new JsonRpc(url, { timeout: patienceMs });
  async function ask<T>(what: string, read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new TckError('config', `--xpr-rpc ${url}: ${what} cannot be read: ${brief(why, 200)}`);
    }
  }
  return {
    async chainId() {
      const info = await ask('the chain id', () => rpc.get_info());
      const found = stringMember(info, 'chain_id');
      if (found !== undefined && /^[0-9a-f]{64}$/.test(found)) return found;
      throw new TckError('config', `--xpr-rpc ${url} names no chain id: ${brief(found)}`);
    },
    async keysOf(caller) {
      const account = await ask(`the account ${caller.account}`, () => rpc.get_account(caller.account));
      return keysTold(caller, permissionsOf(account));
    },
  };
}
