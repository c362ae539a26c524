import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Client, createClient } from '../src/client/index.js';
import { dialectById, profilesLike } from '../src/dialect/index.js';
import { difference } from '../src/kit/index.js';
import type { DataPart, FilePart, Message, Part, TextPart } from '../src/model/index.js';
import { allBindings, createAgent } from '../src/reference/index.js';
import { createTape, createWire, virtualClock } from '../src/wire/index.js';
import { byDay } from './property-runs.js';

// Law: a message that comes through any binding into the history of the reference agent comes back over each binding as
// it was sent, within what the proto of the version can hold.

const baseUrl = 'http://agent.test';

/** A text that has a form in UTF-8. */
const text = fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => !/\p{Surrogate}/u.test(text));
const name = text.filter((text) => text !== '' && text !== '__proto__');
const leaf = fc.oneof(
  text,
  fc.boolean(),
  fc.constant(null),
  fc.integer({ min: -1000, max: 1000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3 }),
  ),
})).value;
const struct = fc.dictionary(name, value, { maxKeys: 3 });
const withMetadata = <T extends object>(part: fc.Arbitrary<T>, isHeld: boolean): fc.Arbitrary<T> =>
  isHeld
    ? fc
        .tuple(part, fc.option(struct, { nil: undefined }))
        .map(([item, metadata]) => ({ ...item, ...(metadata && { metadata }) }))
    : part;

const bytes = fc.uint8Array({ maxLength: 40 }).map((octets) => Buffer.from(octets).toString('base64'));

/** `isFull`: the proto of the version has all members of parts and messages. */
function messageOf(isFull: boolean): fc.Arbitrary<Message> {
  const textPart: fc.Arbitrary<TextPart> = fc.record({ kind: fc.constant('text' as const), text });
  const file: fc.Arbitrary<FilePart> = fc.record(
    {
      kind: fc.constant('file' as const),
      bytes: bytes.filter((byte) => byte !== ''),
      mediaType: fc.constant('image/png'),
      ...(isFull ? { name: name } : {}),
    },
    { requiredKeys: ['kind', 'bytes', 'mediaType'] },
  ) as fc.Arbitrary<FilePart>;
  const data: fc.Arbitrary<DataPart> = fc.record({ kind: fc.constant('data' as const), data: isFull ? value : struct });
  const part: fc.Arbitrary<Part> = fc.oneof(
    withMetadata(textPart, isFull),
    withMetadata(file, isFull),
    withMetadata(data, isFull),
  );
  return fc.record(
    {
      messageId: fc.uuid(),
      role: fc.constant('user' as const),
      parts: fc.array(part, { minLength: 1, maxLength: 3 }),
      extensions: fc.array(fc.webUrl(), { maxLength: 2 }),
      ...(isFull ? { referenceTaskIds: fc.array(fc.uuid(), { maxLength: 2 }) } : {}),
      metadata: struct,
    },
    { requiredKeys: ['messageId', 'role', 'parts'] },
  ) as fc.Arbitrary<Message>;
}

/** Clients of one agent, one for each binding. */
function clientsOf(id: 'a2a-1.0' | 'a2a-0.3'): { readonly clients: readonly Client[]; stop(): void } {
  const dialect = dialectById(id);
  if (dialect === undefined) throw new Error('no such dialect');
  const clock = virtualClock();
  const agent = createAgent({ dialect, clock, baseUrl, patches: [allBindings] });
  const wire = createWire({
    carrier: agent.handle,
    clock,
    tape: createTape(() => undefined),
    limits: { timeoutMs: 10_000, maxBytes: 4 << 20 },
    rawSocket: false,
  });
  let ids = 0;
  const client = createClient({
    wire,
    clock,
    dialect,
    endpoint: `${baseUrl}/`,
    credentials: [],
    readOnly: false,
    limitPatienceMs: 0,
    uuid: () => `id-${++ids}`,
  });
  const places: Readonly<Record<string, string>> = { JSONRPC: '/', 'HTTP+JSON': '/rest', GRPC: '/' };
  const clients = profilesLike(id).map(({ binding }) =>
    client.at(`${baseUrl}${places[binding.transport]}`, binding.transport),
  );
  return { clients: clients.filter((client) => client !== undefined), stop: agent.stop };
}

describe.each(['a2a-1.0', 'a2a-0.3'] as const)('%s', (id) => {
  test('a message is the same over every binding, whichever brought it', async () => {
    const { clients, stop } = clientsOf(id);
    expect(clients).toHaveLength(3);
    const message = messageOf(id === 'a2a-1.0');
    await fc.assert(
      fc.asyncProperty(message, fc.nat(2), async (sent, at) => {
        const by = clients[at] as Client;
        const words: Part = { kind: 'text', text: 'Hello.' };
        const whole: Message = { ...sent, parts: [words, ...sent.parts] };
        const reply = await by.call('send', { message: whole, configuration: { blocking: false } });
        if (reply.kind !== 'result' || reply.value.type !== 'task') throw new Error(JSON.stringify(reply));
        const { id: taskId } = reply.value.task;
        for (const client of clients) {
          const read = await client.call('get', { id: taskId, historyLength: 100 });
          if (read.kind !== 'result') throw new Error(JSON.stringify(read));
          const shown = read.value.history?.find(({ messageId }) => messageId === sent.messageId);
          const { taskId: _, contextId: __, ...kept } = shown ?? whole;
          expect(shown).toBeDefined();
          const over = `from ${by.dialect.binding.title} to ${client.dialect.binding.title}`;
          expect({ over, found: difference(whole, kept) }).toEqual({ over, found: undefined });
        }
      }),
      byDay(30),
    );
    stop();
  }, 60_000);
});
