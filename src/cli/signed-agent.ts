import type { Dialect } from '../dialect/index.js';
import type { XprTarget } from '../endpoint/xpr-target.js';
import { type Chain, chainResidents, createChain, residentKey, residents } from '../reference/index.js';
import { realClock } from '../wire/index.js';
import { wif } from '../xpr/index.js';

/** Signed calls in a minute: with the usual 20 a demo would mostly wait. */
export const demoRate = 180;

/** What the reference agent needs where callers sign: a chain that knows them. */
export interface Surroundings {
  readonly chain: Chain;
  /** For a run on the agent: two accounts, an unregistered one, and the control of the chain. */
  readonly callers: XprTarget;
  /** Accounts to try, with their keys, one line each. */
  readonly accounts: readonly string[];
}

/** Undefined where calls are not signed. */
export async function surroundings(dialect: Dialect): Promise<Surroundings | undefined> {
  if (dialect.signed === undefined) return undefined;
  const stub = createChain({ clock: realClock });
  const chain = { ...stub, control: await residents(stub.control) };
  const key = (account: string): string => wif(residentKey(account));
  return {
    chain,
    callers: {
      account: 'alice',
      key: key('alice'),
      secondAccount: 'bob',
      secondKey: key('bob'),
      unregisteredAccount: 'carol',
      unregisteredKey: key('carol'),
      digest: dialect.signed === 5 ? 'v2' : 'v1',
      audience: 'tckagent',
      allowSend: true,
      rate: demoRate,
      stub: chain.control,
    },
    accounts: chainResidents.map(({ name, about }) => `${name.padEnd(9)} ${key(name)}  ${about}`),
  };
}
