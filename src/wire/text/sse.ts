import { createParser } from 'eventsource-parser';
import type { Chunk } from '../exchange/exchange.js';

/** Longest line, and longest data of one event, characters: one event may be as long as the whole answer. */
const longest = 4 * 1024 * 1024;

export interface ServerSentEvent {
  readonly data: string;
  readonly event?: string;
  readonly id?: string;
  /** When the chunk that completed it arrived, milliseconds after sending. */
  readonly atMs: number;
}

/**
 * Yields the events of a stream as they complete, parsed as WHATWG HTML §9.2.6 says. Parsing is lenient;
 * `framingProblems` judges. Ends with the chunks, or early with `too-large` when a line or an event is longer than 4
 * MiB: that is a limit of the kit, and no fault of the agent. An event without its blank line is dropped.
 */
export async function* readEvents(
  chunks: AsyncIterable<Chunk>,
): AsyncGenerator<ServerSentEvent, 'too-large' | undefined, undefined> {
  const decoder = new TextDecoder('utf-8');
  let complete: Omit<ServerSentEvent, 'atMs'>[] = [];
  let isTooLong = false;
  let endsInReturn = false;
  const parser = createParser({
    onEvent: ({ data, event, id }) => {
      if (data.length > longest) isTooLong = true;
      else complete.push({ data, ...(event === undefined ? {} : { event }), ...(id === undefined ? {} : { id }) });
    },
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') isTooLong = true;
    },
    maxBufferSize: longest,
  });
  function feed(text: string): void {
    if (text === '') return;
    endsInReturn = text.endsWith('\r');
    parser.feed(text);
  }
  let last = 0;
  for await (const { atMs, bytes } of chunks) {
    last = atMs;
    feed(decoder.decode(bytes, { stream: true }));
    for (const event of complete) yield { ...event, atMs };
    complete = [];
    if (isTooLong) return 'too-large';
  }
  // The parser waits after a CR at the end, since an LF might follow that ends the same line.
  if (endsInReturn) parser.feed('\n');
  for (const event of complete) yield { ...event, atMs: last };
  return isTooLong ? 'too-large' : undefined;
}
