export interface Ending {
  readonly signal: AbortSignal;
  end(): void;
  /** Removes the timer and the listener. */
  release(): void;
}

/**
 * A signal that fires when `end` is called, when `outer` fires, or after `limitMs`. Not made by `AbortSignal.any`: Node
 * holds its sources weakly, so that a limit among them may be garbage-collected and never fire.
 */
export function ending(outer?: AbortSignal, limitMs?: number): Ending {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  if (outer?.aborted === true) end();
  outer?.addEventListener('abort', end, { once: true });
  const timer = limitMs === undefined ? undefined : setTimeout(end, limitMs);
  return {
    signal: controller.signal,
    end,
    release: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', end);
    },
  };
}
