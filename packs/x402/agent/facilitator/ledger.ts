import { keccak_256 } from '@noble/hashes/sha3.js';
import { StubInputError } from '../../../../src/reference/patching.js';
import {
  type Authorization,
  caip2Of,
  checksummed,
  type FacilitatorCall,
  type FacilitatorSettlement,
  type Token,
  tokenOf,
} from '../../payments/index.js';

/** Limits against a flood of entries. */
const mostEntries = 100_000;
const mostLogged = 2000;

/** An authorization as the contract of a token sees it. */
export interface Transfer {
  readonly token: Token;
  readonly authorization: Authorization;
}

/** Balances, used nonces, settlements and calls. */
export interface Ledger {
  token(chainId: bigint | undefined, asset: string): Token | undefined;
  readonly tokens: readonly Token[];
  balance(address: string, token: Token): bigint;
  /** Throws `StubInputError` when the table is full, or for more than a token can hold. */
  fund(address: string, token: Token, amount: bigint): void;
  isUsed(transfer: Transfer): boolean;
  /** 32 bytes in hex, the same for the same transfer. */
  transaction(transfer: Transfer): string;
  /** Uses the nonce and moves the money, in one step; undefined when the nonce is used or the money is not there. */
  move(transfer: Transfer, at: number): FacilitatorSettlement | undefined;
  /** Marks a transfer as sent to the chain and not yet in a block. False when it was marked before. */
  suspend(transfer: Transfer): boolean;
  settlements(): readonly FacilitatorSettlement[];
  /** Logs a call; its status and answer are added later. */
  record(call: Omit<FacilitatorCall, 'number'>): (more: Pick<FacilitatorCall, 'status' | 'answer'>) => void;
  calls(): readonly FacilitatorCall[];
  clear(): void;
}

const place = ({ chainId, asset }: Token): string => `${caip2Of(chainId)} ${asset.toLowerCase()}`;
/** A nonce counts once for a payer and a token, in any letter case. EIP-3009. */
const keyOf = ({ token, authorization: { from, nonce } }: Transfer): string =>
  `${place(token)} ${from.toLowerCase()} ${nonce.toLowerCase()}`;

export function createLedger(more: readonly Token[], known: readonly Token[]): Ledger {
  const balances = new Map<string, bigint>();
  const used = new Set<string>();
  const suspended = new Set<string>();
  let settlements: FacilitatorSettlement[] = [];
  let calls: FacilitatorCall[] = [];
  let settled = 0;
  let called = 0;

  const purse = (address: string, token: Token): string => `${place(token)} ${address.toLowerCase()}`;
  const balance: Ledger['balance'] = (address, token) => balances.get(purse(address, token)) ?? 0n;
  const transaction: Ledger['transaction'] = (transfer) =>
    `0x${Buffer.from(keccak_256(new TextEncoder().encode(keyOf(transfer)))).toString('hex')}`;

  function fund(address: string, token: Token, amount: bigint): void {
    const name = purse(address, token);
    if (!balances.has(name) && balances.size >= mostEntries) throw new StubInputError('there are too many wallets');
    const sum = balance(address, token) + amount;
    if (sum >= 2n ** 256n) throw new StubInputError('a balance is below 2^256');
    balances.set(name, sum);
  }

  return {
    tokens: [...known, ...more],
    token: (chainId, asset) => tokenOf(chainId, asset, more),
    balance,
    fund,
    isUsed: (transfer) => used.has(keyOf(transfer)),
    transaction,
    move(transfer, at) {
      const { token, authorization } = transfer;
      const value = BigInt(authorization.value);
      if (used.has(keyOf(transfer)) || used.size >= mostEntries) return undefined;
      if (balance(authorization.from, token) < value) return undefined;
      used.add(keyOf(transfer));
      suspended.delete(keyOf(transfer));
      balances.set(purse(authorization.from, token), balance(authorization.from, token) - value);
      balances.set(purse(authorization.to, token), balance(authorization.to, token) + value);
      const settlement: FacilitatorSettlement = {
        number: ++settled,
        at,
        network: caip2Of(token.chainId),
        asset: checksummed(token.asset),
        from: checksummed(authorization.from),
        to: checksummed(authorization.to),
        value: authorization.value,
        nonce: authorization.nonce.toLowerCase(),
        transaction: transaction(transfer),
      };
      settlements.push(settlement);
      if (settlements.length > mostLogged) settlements.shift();
      return settlement;
    },
    suspend(transfer) {
      if (suspended.has(keyOf(transfer)) || suspended.size >= mostEntries) return false;
      suspended.add(keyOf(transfer));
      return true;
    },
    settlements: () => [...settlements],
    record(call) {
      const number = ++called;
      calls.push({ number, ...call });
      if (calls.length > mostLogged) calls.shift();
      return (outcome) => {
        const at = calls.findIndex((call) => call.number === number);
        const made = calls[at];
        // A reset may have come in between.
        if (made !== undefined && made.at === call.at) calls = calls.with(at, { ...made, ...outcome });
      };
    },
    calls: () => [...calls],
    clear() {
      for (const kept of [balances, used, suspended]) kept.clear();
      settlements = [];
      calls = [];
      settled = 0;
      called = 0;
    },
  };
}
