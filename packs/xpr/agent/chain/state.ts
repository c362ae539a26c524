import type { JsonObject } from '../../../../src/model/index.js';
import { StubInputError } from '../../../../src/reference/patching.js';
import type { ChainCall, FailureMode } from '../../signing/index.js';

/** Limits against a flood of entries. */
const mostEntries = 10_000;
const mostCalls = 2000;
const longestText = 100;

/** The tables by `<contract>/<table>`, rows by account. */
export type Table = Map<string, JsonObject>;

export interface ChainState {
  /** Answers to `get_account`. */
  readonly accounts: Table;
  readonly agents: Table;
  readonly people: Table;
  /** By account, or `*`. */
  readonly failures: Map<string, FailureMode>;
  record(at: number, path: string, account: string | undefined): void;
  calls(): readonly ChainCall[];
  clear(): void;
}

/** Sets an entry of a map that must not grow without a bound. Throws `StubInputError`. */
export function setBounded<T>(map: Map<string, T>, name: string, value: T): void {
  if (!map.has(name) && map.size >= mostEntries) throw new StubInputError(`there are ${mostEntries} already`);
  map.set(name, value);
}

export function createState(): ChainState {
  const accounts: Table = new Map();
  const agents: Table = new Map();
  const people: Table = new Map();
  const failures = new Map<string, FailureMode>();
  let calls: ChainCall[] = [];
  let number = 0;
  return {
    accounts,
    agents,
    people,
    failures,
    record(at, path, account) {
      number++;
      calls.push({
        number,
        at,
        path: path.slice(0, longestText),
        ...(account === undefined ? {} : { account: account.slice(0, longestText) }),
      });
      if (calls.length > mostCalls) calls.shift();
    },
    calls: () => [...calls],
    clear() {
      for (const map of [accounts, agents, people, failures]) map.clear();
      calls = [];
      number = 0;
    },
  };
}
