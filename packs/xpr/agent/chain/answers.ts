import { type JsonObject, member } from '../../../../src/model/index.js';
import { isAccountName } from '../../signing/index.js';
import { ChainRefusal, quoted } from './refusal.js';
import type { ChainState } from './state.js';
import { tableRows } from './tables.js';

/** The requests that the stub answers; all others get 404. XPR: what a server asks the chain. */
export type Question = 'get_account' | 'get_table_rows' | 'get_info';

const prefix = '/v1/chain/';
const questions: readonly Question[] = ['get_account', 'get_table_rows', 'get_info'];

export const questionOf = (path: string): Question | undefined =>
  questions.find((question) => path === prefix + question);

/** The account that a request is about: the name of the account, or the lower bound of a query of a table. */
export function accountOf(question: Question | undefined, body: unknown): string | undefined {
  const names = { get_account: 'account_name', get_table_rows: 'lower_bound', get_info: '' } as const;
  const account = question === undefined ? undefined : member(body, names[question]);
  return typeof account === 'string' && account !== '' ? account : undefined;
}

/** Nodes write UTC without a zone. */
const time = (ms: number): string => new Date(ms).toISOString().replace('Z', '');
/** Two blocks a second. */
const blockNumber = (ms: number): number => Math.floor(ms / 500) % 2 ** 32;
const blockId = (number: number): string => number.toString(16).padStart(8, '0').padEnd(64, '0');

function info(chainId: string, now: number): JsonObject {
  const head = blockNumber(now);
  return {
    server_version: '00000000',
    chain_id: chainId,
    head_block_num: head,
    last_irreversible_block_num: head,
    last_irreversible_block_id: blockId(head),
    head_block_id: blockId(head),
    head_block_time: time(now),
    head_block_producer: 'eosio',
    server_version_string: 'a2a-tck',
    fork_db_head_block_num: head,
    fork_db_head_block_id: blockId(head),
  };
}

function account(state: ChainState, body: JsonObject, now: number): JsonObject {
  const name = member(body, 'account_name');
  if (typeof name !== 'string') {
    throw new ChainRefusal('invalidRequest', 'Unable to parse valid input from POST body');
  }
  if (!isAccountName(name))
    throw new ChainRefusal('invalidName', `Name not properly normalized (name: ${quoted(name)})`);
  const found = state.accounts.get(name);
  if (found === undefined) {
    throw new ChainRefusal('unknownKey', `unknown key (boost::tuples::tuple<bool, eosio::chain::name>): (0 ${name})`);
  }
  return { ...found, head_block_num: blockNumber(now), head_block_time: time(now) };
}

/** The right answer to a request. Throws `ChainRefusal`. */
export function answer(
  question: Question,
  body: unknown,
  { state, chainId, now }: { readonly state: ChainState; readonly chainId: string; readonly now: number },
): unknown {
  if (question === 'get_info') return info(chainId, now);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ChainRefusal('invalidRequest', 'Unable to parse valid input from POST body');
  }
  return question === 'get_account' ? account(state, body as JsonObject, now) : tableRows(state, body as JsonObject);
}
