import { sparingly } from './memory.js';
import type { Terminal } from './terminal.js';

/**
 * Runs long work. The first Ctrl-C aborts the signal: the work then ends with what is known. The second one calls
 * `abandon`, which leaves nothing half done, and ends the process with exit code 130.
 */
export async function interruptible<T>(
  terminal: Terminal,
  work: (signal: AbortSignal) => Promise<T>,
  abandon: () => void = () => undefined,
): Promise<T> {
  const controller = new AbortController();
  const release = terminal.onInterrupt(() => {
    if (controller.signal.aborted) {
      abandon();
      return terminal.quit(130);
    }
    terminal.err('\na2a-tck: stopping; once more to quit at once\n');
    controller.abort();
  });
  try {
    return await sparingly(() => work(controller.signal));
  } finally {
    release();
  }
}

/** Resolves at the first Ctrl-C. Until then others may send what they like. */
export const interrupted = (terminal: Terminal): Promise<void> =>
  sparingly(
    () =>
      new Promise((resolve) => {
        const release = terminal.onInterrupt(() => {
          release();
          resolve();
        });
      }),
  );
