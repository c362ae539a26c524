/** Some ms of work without a turn of the event loop, at most: whoever watches over this thread is answered. */
const longestTurnMs = 50;

/**
 * For work in many small steps on what a target sent. Between two steps: a promise to await where the steps since the last
 * turn of the event loop took long, undefined otherwise.
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
