import { able, type Patch, together } from '../../reference/index.js';
import { type Scenario, scenario } from '../scenario.js';

// Streams whose bytes are unusual and right (WHATWG HTML §9.2).

const text = (bytes: string | Uint8Array): string =>
  typeof bytes === 'string' ? bytes : new TextDecoder().decode(bytes);

/** Changes the text of each event, after it was framed. */
const framing =
  (edit: (event: string, isFirst: boolean) => string | Uint8Array): Patch =>
  (inner) => {
    const seen = new WeakSet<object>();
    return {
      frame(answer, call) {
        const isFirst = !seen.has(call);
        seen.add(call);
        return edit(text(inner.frame(answer, call)), isFirst);
      },
    };
  };

/** The task is known only from the stream: what the client tells of it, it has read there. */
const onlyStreamed: Patch = (inner) => ({
  find: (taskId, op) => (op === 'get' || op === 'subscribe' ? undefined : inner.find(taskId, op)),
});

const framedScenario = (
  id: Scenario['id'],
  about: string,
  edit: Parameters<typeof framing>[0],
  more: Partial<Scenario> = {},
): Scenario =>
  scenario(id, {
    about,
    errand: { do: 'stream', text: 'tck-stream-chunked' },
    notOver: ['grpc'],
    patch: () => together(able({ streaming: true }), onlyStreamed, framing(edit)),
    expected: { state: 'completed', text: 'chunk 1 chunk 2' },
    ...more,
  });

export const framingScenarios = [
  framedScenario('stream-crlf', 'the lines of the stream end in CRLF', (event) => event.replaceAll('\n', '\r\n')),
  framedScenario('stream-cr', 'the lines of the stream end in CR alone', (event) => event.replaceAll('\n', '\r')),
  framedScenario('stream-comments', 'comments stand between the events', (event) => `: keep-alive\n\n${event}`),
];
