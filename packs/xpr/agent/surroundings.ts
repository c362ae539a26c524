import type { Dialect } from '../../../src/dialect/index.js';
import { TckError } from '../../../src/model/index.js';
import type { AgentPart, Stub } from '../../../src/reference/patching.js';
import type { Clock } from '../../../src/wire/index.js';
import type { XprTarget } from '../run/index.js';
import { wif } from '../signing/index.js';
import { createChain, isChainId } from './chain/chain.js';
import { controlHandle } from './chain/control.js';
import { chainResidents, residentKey, residents } from './chain/residents.js';
import { xprAgent } from './part.js';
import { linesOf } from './settings.js';

/** What the reference agent needs where callers sign: a chain that knows them. */
export interface Surroundings extends Stub {
  /** Makes the agent one whose callers sign. */
  readonly part: AgentPart;
  /** The same without a chain: the agent can verify no caller. */
  readonly alone: AgentPart;
  /**
   * For a run on the agent: two accounts, an unregistered account, and the control of the chain; `rates`: what the user
   * states of a variant.
   */
  callers(rates?: Readonly<Record<string, number | false>>): { readonly xpr: XprTarget };
  /** The account of a client under test, and what it signs. */
  readonly account: Readonly<Record<'account' | 'key' | 'lines' | 'audience' | 'chainId', string>>;
}

export interface SurroundingsOptions {
  /** Signed calls of one account in a minute. Default: those of the document; the user states no rate. */
  readonly rate?: number;
  /** The kit may wait for minutes. */
  readonly slow?: boolean;
}

const keyOf = (account: string): string => wif(residentKey(account));

export async function surroundings(
  dialect: Dialect,
  clock: Clock,
  { rate, slow }: SurroundingsOptions = {},
): Promise<Surroundings> {
  const chain = createChain({ clock });
  const control = await residents(chain.control);
  const lines = linesOf(dialect);
  const audience = 'tckagent';
  return {
    part: xprAgent(dialect, {
      chain: { url: 'http://chain.test', carrier: chain.handle },
      ...(rate === undefined ? {} : { settings: { rateLimit: rate } }),
    }),
    alone: xprAgent(dialect),
    callers: (rates) => ({
      xpr: {
        account: 'alice',
        key: keyOf('alice'),
        secondAccount: 'bob',
        secondKey: keyOf('bob'),
        unregisteredAccount: 'carol',
        unregisteredKey: keyOf('carol'),
        digest: lines === 5 ? 'v2' : 'v1',
        audience,
        allowSend: true,
        stub: control,
        ...(rate === undefined ? {} : { rate }),
        ...(slow === undefined ? {} : { slow }),
        ...rates,
      },
    }),
    account: {
      account: 'alice',
      key: keyOf('alice'),
      lines: String(lines),
      audience,
      chainId: await control.chainId(),
    },
    service: chain.handle,
    control: controlHandle(control),
    about: (urls) => [
      `  the chain that it asks: ${urls.service}`,
      `  its control, for --xpr-stub: ${urls.control}`,
      'Accounts on it, and their keys; any program can make these keys, so use them nowhere else:',
      ...chainResidents.map(({ name, about }) => `  ${name.padEnd(9)} ${keyOf(name)}  ${about}`),
    ],
  };
}

/** A stub of the chain that agents of these profiles ask about their callers. Throws `TckError('usage')`. */
export async function stub(
  { id }: Dialect,
  clock: Clock,
  { chainId: given }: { readonly chainId?: string | undefined },
): Promise<Stub> {
  const chainId = given?.toLowerCase();
  if (chainId !== undefined && !isChainId(chainId)) {
    throw new TckError('usage', '--chain-id must be 64 hexadecimal digits', 'left out, it is that of the test network');
  }
  const chain = createChain({ clock, ...(chainId === undefined ? {} : { chainId }) });
  return {
    service: chain.handle,
    control: controlHandle(await residents(chain.control)),
    about: (urls) => [
      'A stub of the XPR chain, and its control. Ctrl-C ends it.',
      `  1. start the agent with XPR_RPC_ENDPOINT=${urls.service}`,
      `  2. a2a-tck --url <agent> --profile ${id} --xpr-stub ${urls.control}`,
      'Accounts on it; any program can make their keys, so use them nowhere else:',
      ...chainResidents.map(({ name, about }) => `  ${name.padEnd(12)} ${about}`),
    ],
  };
}
