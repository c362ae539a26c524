import { TckError } from '../model/index.js';

// When the process ends, its user must learn of each payment that is out. So a payment leaves only when the other
// thread knows it.

/** How long the other thread may take, ms: it only listens. */
const patienceMs = 10_000;

/** How many lists of payments the other thread has taken. */
export const heardBuffer = (): SharedArrayBuffer => new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

/** The other thread has taken another list. */
export function hearOne(buffer: SharedArrayBuffer): void {
  const heard = new Int32Array(buffer);
  Atomics.add(heard, 0, 1);
  Atomics.notify(heard, 0);
}

/**
 * Wraps `tell`: the function returns when the other thread has taken the message. It blocks this thread meanwhile.
 * Throws `TckError('internal')` if that takes too long.
 */
export function tellAndWait<T>(buffer: SharedArrayBuffer, tell: (value: T) => void): (value: T) => void {
  const heard = new Int32Array(buffer);
  let told = 0;
  return (value) => {
    tell(value);
    told++;
    for (let count = Atomics.load(heard, 0); count < told; count = Atomics.load(heard, 0)) {
      if (Atomics.wait(heard, 0, count, patienceMs) === 'timed-out')
        throw new TckError('internal', 'a payment was not sent: the thread that reports it did not answer');
    }
  };
}
