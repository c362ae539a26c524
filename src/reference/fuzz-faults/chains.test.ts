import { describe, expect, test } from 'vitest';
import { chainFaults } from './chains.js';
import { contrast, type Meeting, type Scene } from './meeting.js';

const data = { parts: [{ kind: 'data', data: { a: 1 } }] };
const file = { parts: [{ kind: 'file', file: { bytes: 'AA==', name: 'a', mimeType: 'image/png' } }] };
const tagged = { metadata: { note: 'a' } };
const ask = 'tck-input-required';

/** What comes after the first condition, and what must come after it to break. */
interface Chain {
  readonly first: (meeting: Meeting) => Promise<string>;
  readonly second: (meeting: Meeting, id: string) => Promise<unknown>;
}
const beginning =
  (text: string, more: object = {}) =>
  async ({ send, wait }: Meeting): Promise<string> => {
    const { result } = await send(text, more);
    await wait(50);
    return result.id;
  };
const after =
  (begin: Chain['first'], step: (meeting: Meeting, id: string) => Promise<unknown>): Chain['first'] =>
  async (meeting) => {
    const id = await begin(meeting);
    await step(meeting, id);
    return id;
  };

const chains: Readonly<Record<string, Chain>> = {
  'fuzz-data-then-canceled-resets': { first: beginning('', data), second: ({ cancel }, id) => cancel(id) },
  'fuzz-file-then-read-short-crashes': {
    first: beginning('', file),
    second: ({ get }, id) => get(id, { historyLength: 1 }),
  },
  'fuzz-picture-then-message-resets': {
    first: beginning('Send me a picture'),
    second: ({ send }, taskId) => send('more', { taskId }),
  },
  'fuzz-extensions-then-empty-metadata-empties': {
    first: beginning('hello', { extensions: [] }),
    second: ({ send }) => send('hello', { extensions: [], metadata: {} }),
  },
  'fuzz-data-and-bad-configuration-crashes': {
    first: beginning('', data),
    second: ({ send }) => send('', data, { configuration: { historyLength: -1 } }),
  },
  'fuzz-file-and-odd-text-resets': {
    first: beginning('', file),
    second: ({ send }) => send('', { parts: [...file.parts, 'odd'] }),
  },
  'fuzz-short-read-then-cancel-resets': {
    first: after(beginning(ask), async ({ get }, id) => {
      await get(id, { historyLength: 0 });
      await get(id);
    }),
    second: ({ cancel }, id) => cancel(id),
  },
  'fuzz-answered-question-then-short-read-resets': {
    first: after(beginning(ask), async ({ send, wait, get }, taskId) => {
      await send('blue', { taskId });
      await wait(50);
      await get(taskId);
    }),
    second: ({ get }, id) => get(id, { historyLength: 10 }),
  },
  'fuzz-refused-cancel-then-message-resets': {
    first: after(beginning('hello'), async ({ cancel, get }, id) => {
      await cancel(id);
      await get(id);
    }),
    second: ({ send }, taskId) => send('more', { taskId }),
  },
  'fuzz-tagged-then-read-short-crashes': {
    first: beginning('hello', tagged),
    second: ({ get }, id) => get(id, { historyLength: 1 }),
  },
  'fuzz-linked-then-message-resets': {
    first: beginning(ask, { referenceTaskIds: ['another'] }),
    second: ({ send }, taskId) => send('more', { taskId }),
  },
  'fuzz-extended-then-canceled-with-note-empties': {
    first: beginning(ask, { extensions: ['https://example.com/extension'] }),
    second: ({ call }, id) => call('tasks/cancel', { id, metadata: {} }),
  },
  'fuzz-data-read-short-then-canceled-resets': {
    first: after(beginning('', data), async ({ get }, id) => {
      await get(id, { historyLength: 0 });
      await get(id);
    }),
    second: ({ cancel }, id) => cancel(id),
  },
  'fuzz-tagged-canceled-then-message-resets': {
    first: after(beginning(ask, tagged), async ({ cancel, get }, id) => {
      await cancel(id);
      await get(id);
    }),
    second: ({ send }, taskId) => send('more', { taskId }),
  },
  'fuzz-file-canceled-then-read-short-resets': {
    first: after(beginning(ask, file), async ({ cancel, get }, id) => {
      await cancel(id);
      await get(id);
    }),
    second: ({ get }, id) => get(id, { historyLength: 1 }),
  },
  'fuzz-shown-name-sent-back-crashes': {
    first: beginning('', data),
    second: ({ send }) => send('', { ...data, metadata: { renderer: true } }),
  },
};

test('a chain for each', () => expect(Object.keys(chains)).toEqual(chainFaults.map(({ id }) => id)));

describe.each(chainFaults)('$id', (fault) => {
  const { first, second } = chains[fault.id] as Chain;

  test('the first condition shows, and is no fault', async () => {
    const scene: Scene = async (meeting) => void (await first(meeting));
    const { clean, faulty } = await contrast(fault, scene);
    expect(faulty).not.toEqual(clean);
    expect(JSON.stringify(faulty)).not.toMatch(/"error"|"status":500|no answer|reset/);
  });

  test('the second breaks, and only after the first', async () => {
    const scene: Scene = async (meeting) => void (await second(meeting, await first(meeting)));
    const { clean, faulty } = await contrast(fault, scene);
    expect(JSON.stringify(faulty.at(-1))).toMatch(/-32603|:500|no answer|closed|"text":""/);
    expect(JSON.stringify(clean.at(-1))).not.toMatch(/-32603|:500|no answer|closed|"text":""/);
    const alone: Scene = async (meeting) => void (await second(meeting, await beginning('hello')(meeting)));
    if (fault.id.includes('-then-') && !/then-empty/.test(fault.id)) {
      const seen = await contrast(fault, alone);
      expect(seen.faulty).toEqual(seen.clean);
    }
  });
});
