import { TckError } from '../model/index.js';

// When the process ends, its user must learn of each payment that is out. So a payment leaves only when the other
// thread knows it.

/** How long the other thread may take, ms: it only listens. */
const patienceMs = 10_000;

/** How many lists of payments the other thread has taken. */
export const takenCounter = (): SharedArrayBuffer => new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);

/** The other thread has taken another list. */
export function countTaken(buffer: SharedArrayBuffer): void {
  const takenCount = new Int32Array(buffer);
  Atomics.add(takenCount, 0, 1);
  Atomics.notify(takenCount, 0);
}

/**
 * Wraps `tell`: the function returns when the other thread has taken the message. It blocks this thread meanwhile.
 * Throws `TckError('internal')` if that takes too long.
 */
export function sendAndWait<T>(buffer: SharedArrayBuffer, tell: (value: T) => void): (value: T) => void {
  const takenCount = new Int32Array(buffer);
  let sentCount = 0;
  return (value) => {
    tell(value);
    sentCount++;
    for (let count = Atomics.load(takenCount, 0); count < sentCount; count = Atomics.load(takenCount, 0)) {
      if (Atomics.wait(takenCount, 0, count, patienceMs) === 'timed-out')
        throw new TckError(
          'internal',
          'a payment was not sent: the main thread, which must know of it first, did not answer',
        );
    }
  };
}
