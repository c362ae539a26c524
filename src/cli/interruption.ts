import { sparingly } from './memory.js';
import type { Terminal } from './terminal.js';

/**
 * Long work with agents. The first Ctrl-C ends it with what is known, the second the process; `abandon` leaves nothing
 * half done behind.
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

/** Resolves at the first Ctrl-C. */
export const interrupted = (terminal: Terminal): Promise<void> =>
  new Promise((resolve) => {
    const release = terminal.onInterrupt(() => {
      release();
      resolve();
    });
  });
