/** Longest work without a turn of the event loop, ms: the watchdog of this thread must be answered in time. */
const longestTurnMs = 50;

/**
 * For long work in small steps on what the agent sent. Call the result between two steps: it returns a promise to await
 * when the steps since the last turn of the event loop took long, otherwise undefined.
 */
export function breather(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < longestTurnMs) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        since = performance.now();
        resolve();
      }),
    );
  };
}
