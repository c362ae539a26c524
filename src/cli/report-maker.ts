import { Worker } from 'node:worker_threads';
import { doingBuffer, readDoing, usualPatience, type Watch, watchOver } from '../isolation/index.js';
import { nameOfDefect, TckError } from '../model/tck-error.js';
import type { RunEvent } from '../report/index.js';
import { renderer } from './renderer.js';
import type { FromReports, Rendered, ReportStart, ToReports } from './report-messages.js';

/** Renders events in several formats. */
export interface ReportMaker {
  tell(event: RunEvent): void;
  /** Resolves when all events are rendered. Never rejects. */
  flush(): Promise<void>;
  /** Stops the rendering at once. */
  end(): void;
}

export interface ReportTaker {
  text(at: number, text: string): void;
  failed(at: number, error: unknown): void;
}

/** Renders in this thread. Used when the kit is run from its sources. */
function makerHere(rendered: readonly Rendered[], { text, failed }: ReportTaker): ReportMaker {
  return { tell: renderer(rendered, text, failed), flush: async () => undefined, end: () => undefined };
}

/**
 * Renders in a thread of its own. The kit gives up a format that keeps the thread busy forever. Another thread then
 * renders the other formats again, without the text that was already written.
 */
function makerApart(rendered: readonly Rendered[], taker: ReportTaker): ReportMaker {
  const events: RunEvent[] = [];
  /** Characters of each format that the taker already has. */
  const written = rendered.map(() => 0);
  const given = new Set<number>();
  let stop = (): void => undefined;
  let send: (message: ToReports) => void = () => undefined;
  let flushed: (() => void) | undefined;

  function begin(): void {
    const places = rendered.flatMap((_, at) => (given.has(at) ? [] : [at]));
    const skipped = places.map(() => 0);
    const doing = doingBuffer();
    const start: ReportStart = { rendered: places.flatMap((at) => rendered[at] ?? []), doing };
    const worker = new Worker(new URL('./report-thread.js', import.meta.url), {
      workerData: start,
      stderr: process.env['A2A_TCK_DEBUG'] !== '1',
      // Large texts are short-lived: a small young generation is enough, and old objects are collected sooner.
      resourceLimits: { maxYoungGenerationSizeMb: 2 },
    });
    let isOver = false;
    const over = (): void => {
      isOver = true;
      watch.end();
      void worker.terminate();
    };
    /** Gives up the format that the thread was busy with. */
    const giveUp = (why: string): void => {
      if (isOver) return;
      over();
      const busyWith = readDoing(doing);
      const at = busyWith === '' ? undefined : places[Number(busyWith)];
      const lost = at === undefined ? places : [at];
      for (const value of lost) {
        given.add(value);
        taker.failed(value, new TckError('internal', `the report ${rendered[value]?.format} was given up: ${why}`));
      }
      if (given.size === rendered.length) flushed?.();
      else begin();
    };
    const watch: Watch = watchOver(
      usualPatience,
      () => worker.postMessage({ type: 'ping' } satisfies ToReports),
      (seconds) => giveUp(`the kit was busy with it for ${seconds} s`),
    );
    worker.on('message', (message: FromReports) => {
      if (isOver) return;
      watch.pong();
      if (message.type === 'flushed') flushed?.();
      if (message.type !== 'text' && message.type !== 'failed') return;
      const at = places[message.at] ?? 0;
      if (message.type === 'failed') {
        given.add(at);
        taker.failed(at, message.error);
        return;
      }
      const before = skipped[message.at] ?? 0;
      const done = written[at] ?? 0;
      skipped[message.at] = before + message.text.length;
      const added = message.text.slice(Math.max(0, done - before));
      if (added === '') return;
      written[at] = done + added.length;
      taker.text(at, added);
    });
    worker.on('error', (error) => giveUp(nameOfDefect(error)));
    worker.on('exit', () => giveUp('its thread ended'));
    send = (message) => worker.postMessage(message);
    stop = over;
    for (const event of events) send({ type: 'event', event });
    if (flushed !== undefined) send({ type: 'flush' });
  }

  begin();
  return {
    tell(event) {
      events.push(event);
      send({ type: 'event', event });
    },
    flush: () =>
      new Promise((resolve) => {
        flushed = resolve;
        if (given.size === rendered.length) resolve();
        else send({ type: 'flush' });
      }),
    end: () => stop(),
  };
}

/** Events that the console only shows where it shows each check, or has a line that is rewritten. */
const ofEach: ReadonlySet<RunEvent['type']> = new Set(['check.started', 'check.judged', 'fuzz.progress']);

/** Whether a format needs the event. Most are made of the finished run; only ndjson reads the `exchange` events. */
const hears = (rendered: readonly Rendered[], { type }: RunEvent): boolean =>
  type === 'run.ended' ||
  rendered.some(
    ({ format, context: { live, verbose } }) =>
      format === 'ndjson' || (format === 'console' && type !== 'exchange' && (live || verbose || !ofEach.has(type))),
  );

export function createReportMaker(rendered: readonly Rendered[], taker: ReportTaker): ReportMaker {
  const make = import.meta.url.endsWith('.ts') ? makerHere : makerApart;
  const maker = make(rendered, taker);
  return { ...maker, tell: (event) => (hears(rendered, event) ? maker.tell(event) : undefined) };
}
