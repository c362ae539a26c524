import { carry, type Incoming, jsonReply, type Reply, StubInputError } from '../../../../src/reference/patching.js';
import { bodyText, type Carrier, type Clock, sleep } from '../../../../src/wire/index.js';
import type { ChainControl } from '../../signing/index.js';
import { accountOf, answer, questionOf } from './answers.js';
import { failing, slowMs } from './failing.js';
import { readAccount, readAgent, readFailure, readKyc } from './input.js';
import { ChainRefusal, refusalBody } from './refusal.js';
import { accountRow, agentRow, kycRow } from './rows.js';
import { type ChainState, createState, setBounded } from './state.js';

/** The id of the test network: agents that have it built in can be tested too. */
export const testChainId = '71ee83bcf52142d61019d95f9cc5427ba6a0d7ff8accd9e2088ae2abeaf3d3dd';

/** Larger requests are refused; real ones have some hundred bytes. */
const mostBytes = 64 * 1024;

export interface ChainOptions {
  readonly clock: Clock;
  /** 64 lower-case hexadecimal digits. Default: that of the test network. */
  readonly chainId?: string;
}

export interface Chain {
  /** `/v1/chain/get_account`, `get_table_rows`, `get_info`; 404 for all else. */
  readonly handle: Carrier;
  readonly control: ChainControl;
}

export const isChainId = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** A stub of the chain RPC, empty at first. Throws `StubInputError` for a chain id that is none. */
export function createChain({ clock, chainId = testChainId }: ChainOptions): Chain {
  if (!isChainId(chainId)) throw new StubInputError('the chain id must be 64 lower-case hexadecimal digits');
  const state = createState();

  async function serve(request: Incoming): Promise<Reply> {
    const { pathname } = new URL(request.url);
    const question = questionOf(pathname);
    const body = bodyOf(request);
    const account = accountOf(question, body);
    state.record(clock.now(), pathname, account);
    const mode = state.failures.get(account ?? '*') ?? state.failures.get('*');
    const failed = mode && failing(mode, question, body);
    if (failed !== undefined) return failed;
    if (mode === 'slow') await sleep(clock, slowMs, request.signal);
    if (question === undefined) throw new ChainRefusal('unknownEndpoint', 'Unknown Endpoint');
    if (body === tooLarge) throw new ChainRefusal('tooLarge', `the body is larger than ${mostBytes} bytes`);
    return jsonReply(200, answer(question, body, { state, chainId, now: clock.now() }));
  }

  const handle = carry(async (request) => {
    try {
      return await serve(request);
    } catch (cause) {
      if (!(cause instanceof ChainRefusal)) throw cause;
      const { status, body } = refusalBody(cause);
      return jsonReply(status, body);
    }
  });
  return { handle, control: controlOf(state, chainId, () => Math.floor(clock.now() / 1000)) };
}

const tooLarge = Symbol('too large');

/** The JSON of the body, whatever the content type says: callers send it as text. undefined: it is none. */
function bodyOf({ body }: Incoming): unknown {
  if (body !== undefined && body.byteLength > mostBytes) return tooLarge;
  try {
    return JSON.parse(bodyText(body));
  } catch {
    return undefined;
  }
}

function controlOf(state: ChainState, chainId: string, seconds: () => number): ChainControl {
  return {
    chainId: async () => chainId,
    async setAccount(account) {
      const read = readAccount(account, 'account');
      setBounded(state.accounts, read.name, accountRow(read));
    },
    removeAccount: async (name) => void state.accounts.delete(name),
    async setAgent(row) {
      const read = readAgent(row, 'agent');
      setBounded(state.agents, read.account, agentRow(read, seconds()));
    },
    removeAgent: async (account) => void state.agents.delete(account),
    async setKyc(row) {
      const read = readKyc(row, 'kyc');
      setBounded(state.people, read.account, kycRow(read));
    },
    removeKyc: async (account) => void state.people.delete(account),
    async setFailure(account, mode) {
      const read = readFailure({ account, mode }, 'failure');
      if (read.mode === undefined) state.failures.delete(read.account);
      else setBounded(state.failures, read.account, read.mode);
    },
    calls: async () => state.calls(),
    reset: async () => state.clear(),
  };
}
