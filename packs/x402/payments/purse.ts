import { TckError } from '../../../src/model/index.js';

// One total for several runs, which may be in threads of their own and pay at the same time.

/** What all payments together may still cost. It is data in shared memory: it can be sent to a thread. */
export interface Purse {
  readonly memory: SharedArrayBuffer;
}

/** A lock, and after it 256 bits: every amount is below 2^256. */
const lockBytes = 8;
const digits = 4;
const size = lockBytes + 8 * digits;

/** A thread holds the lock for microseconds, unless it was ended meanwhile. */
const patienceMs = 1000;

/**
 * A total for several runs, also for runs at the same time. Every signed payment counts, also where it did not settle.
 * @param total atomic units, in decimal digits where it is a text
 * @throws TckError `usage` for a total that is not an amount below 2^256
 */
export function createPurse(total: string | bigint): Purse {
  const text = String(total);
  if (!/^[0-9]{1,78}$/.test(text) || BigInt(text) >> 256n !== 0n) {
    throw new TckError(
      'usage',
      'the total of all payments is not an amount',
      'whole atomic units: 10000 are 0.01 of a USDC',
    );
  }
  const purse = { memory: new SharedArrayBuffer(size) };
  write(purse, BigInt(text));
  return purse;
}

export const isPurse = (value: unknown): value is Purse => {
  const { memory } = Object(value) as Partial<Purse>;
  return memory instanceof SharedArrayBuffer && memory.byteLength === size;
};

/** Takes atomic units out, or nothing and returns false: there are fewer left, or a thread died while it held the lock. */
export const takeFrom = (purse: Purse, amount: bigint): boolean =>
  locked(purse, () => {
    const left = read(purse);
    if (amount < 0n || amount > left) return false;
    write(purse, left - amount);
    return true;
  }) ?? false;

/** Atomic units that can still be taken out. */
export const leftIn = (purse: Purse): bigint => locked(purse, () => read(purse)) ?? 0n;

function locked<T>({ memory }: Purse, work: () => T): T | undefined {
  const lock = new Int32Array(memory, 0, 1);
  while (Atomics.compareExchange(lock, 0, 0, 1) !== 0) {
    if (Atomics.wait(lock, 0, 1, patienceMs) === 'timed-out') return undefined;
  }
  try {
    return work();
  } finally {
    Atomics.store(lock, 0, 0);
    Atomics.notify(lock, 0, 1);
  }
}

const read = ({ memory }: Purse): bigint =>
  new BigUint64Array(memory, lockBytes, digits).reduceRight((sum, digit) => (sum << 64n) | digit, 0n);

function write({ memory }: Purse, value: bigint): void {
  const words = new BigUint64Array(memory, lockBytes, digits);
  // A typed array keeps the lowest 64 bits of what it is given.
  for (let at = 0; at < digits; at++) words[at] = value >> BigInt(64 * at);
}
