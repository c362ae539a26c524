export interface Ending {
  readonly signal: AbortSignal;
  end(): void;
  /** Takes what was set up away again. */
  release(): void;
}

/**
 * A signal that fires when `end` is called, when `outer` fires, or after `limitMs`. Made by hand: what
 * `AbortSignal.any` is made of is held weakly by Node, so that a limit in it may be collected as garbage and never
 * come.
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
