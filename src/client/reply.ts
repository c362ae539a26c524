import { bodyText, type Exchange, mediaType } from '../wire/index.js';

/** One JSON text that came back: the whole body, or the data of one server-sent event. */
export type Reply =
  | { readonly type: 'json'; readonly value: unknown; readonly text: string }
  | { readonly type: 'text'; readonly text: string; readonly problem: string };

const read = new WeakMap<Exchange, readonly Reply[]>();

function parse(text: string): Reply {
  try {
    return { type: 'json', value: JSON.parse(text) as unknown, text };
  } catch (problem) {
    return { type: 'text', text, problem: problem instanceof Error ? problem.message : String(problem) };
  }
}

/** Data of the events in a server-sent event stream (WHATWG HTML §9.2.6): lines of one event joined by a newline. */
function eventData(text: string): readonly string[] {
  const events: string[] = [];
  let data: string[] = [];
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line === '') {
      if (data.length > 0) events.push(data.join('\n'));
      data = [];
    } else if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
  }
  return events;
}

/** The JSON texts of an answer; none for an empty body or when no answer came. */
export function repliesOf(exchange: Exchange): readonly Reply[] {
  const known = read.get(exchange);
  if (known !== undefined) return known;
  const text = bodyText(exchange.response?.body);
  const streamed = exchange.response !== undefined && mediaType(exchange.response.headers) === 'text/event-stream';
  const replies = streamed ? eventData(text).map(parse) : text.trim() === '' ? [] : [parse(text)];
  read.set(exchange, replies);
  return replies;
}
