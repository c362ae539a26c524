import type { Report, RunEvent } from './report/index.js';
import { ending } from './wire/index.js';

type Start = (onEvent: (event: RunEvent) => void, signal: AbortSignal) => Promise<Report>;

/**
 * The events of a run as they come. The run starts when the first event is asked for. If a caller leaves
 * the loop, the kit ends the run, and the caller goes on after that. An error of the run is thrown after its last event.
 */
export async function* eventStream(start: Start, outer?: AbortSignal): AsyncGenerator<RunEvent, void, undefined> {
  const { signal, end, release } = ending(outer);
  const waiting: RunEvent[] = [];
  let wake = (): void => undefined;
  let ended: { readonly error?: unknown } | undefined;
  const running = start((event) => {
    waiting.push(event);
    wake();
  }, signal)
    .then(
      () => ({}),
      (error: unknown) => ({ error }),
    )
    .then((how) => {
      ended = how;
      wake();
    });
  try {
    while (ended === undefined || waiting.length > 0) {
      yield* waiting.splice(0);
      if (ended !== undefined) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (waiting.length > 0) resolve();
      });
    }
    if ('error' in ended) throw ended.error;
  } finally {
    end();
    await running;
    release();
  }
}
