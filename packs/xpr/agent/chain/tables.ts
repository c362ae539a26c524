import { type JsonObject, member } from '../../../../src/model/index.js';
import { boundValue, nameValue } from './name-value.js';
import { ChainRefusal, quoted } from './refusal.js';
import type { ChainState, Table } from './state.js';

/** Contracts that are on the chain. Tables that the stub does not keep are empty, as for accounts without activity. */
const contracts: ReadonlySet<unknown> = new Set([
  'agentcore',
  'agentescrow',
  'agentfeed',
  'agentvalid',
  'eosio',
  'eosio.proton',
]);
const primary: ReadonlySet<unknown> = new Set([undefined, '', 1, '1', 'first', 'primary']);
const mostRows = 1000;

export interface Rows {
  readonly rows: readonly unknown[];
  readonly more: boolean;
  /** The bound of the next page, a decimal number; empty at the end. */
  readonly next_key: string;
}

function tableOf(state: ChainState, query: JsonObject): Table {
  const code = member(query, 'code');
  if (!contracts.has(code)) throw new ChainRefusal('noContract', `Fail to retrieve account for ${quoted(code)}`);
  // Rows are kept in the scope of their contract.
  if (member(query, 'scope') !== code) return new Map();
  const table = member(query, 'table');
  if (code === 'agentcore' && table === 'agents') return state.agents;
  if (code === 'eosio.proton' && table === 'usersinfo') return state.people;
  return new Map();
}

const limitOf = (asked: unknown): number =>
  typeof asked === 'number' && Number.isInteger(asked) && asked >= 0 ? Math.min(asked, mostRows) : 10;

/** `get_table_rows`: the rows between the bounds, both included, in the order of names. Throws `ChainRefusal`. */
export function tableRows(state: ChainState, query: JsonObject): Rows {
  const table = tableOf(state, query);
  if (member(query, 'json') !== true) {
    throw new ChainRefusal('invalidRequest', 'this stub has rows as JSON only: json must be true');
  }
  if (table.size > 0 && !primary.has(member(query, 'index_position'))) {
    throw new ChainRefusal('noTable', 'this stub keeps the primary index only');
  }
  const lower = boundValue(member(query, 'lower_bound')) ?? 0n;
  const upper = boundValue(member(query, 'upper_bound')) ?? 2n ** 64n;
  const found = [...table]
    .map(([name, row]) => ({ value: nameValue(name), row }))
    .filter(({ value }) => value >= lower && value <= upper)
    .sort((a, b) => (a.value < b.value ? -1 : 1));
  if (member(query, 'reverse') === true) found.reverse();
  const limit = limitOf(member(query, 'limit'));
  const next = found[limit];
  const rows = found.slice(0, limit).map(({ row }) => row);
  return {
    rows: member(query, 'show_payer') === true ? rows.map((data) => ({ data, payer: member(query, 'code') })) : rows,
    more: next !== undefined,
    next_key: next === undefined ? '' : String(next.value),
  };
}
