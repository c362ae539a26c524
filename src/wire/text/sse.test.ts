import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Chunk, framingProblems, readEvents, type ServerSentEvent } from '../index.js';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

async function* chunksOf(...pieces: readonly (Uint8Array | string)[]): AsyncGenerator<Chunk> {
  for (const [atMs, piece] of pieces.entries())
    yield { atMs, bytes: typeof piece === 'string' ? encode(piece) : piece };
}

async function eventsOf(...pieces: readonly (Uint8Array | string)[]): Promise<readonly ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of readEvents(chunksOf(...pieces))) events.push(event);
  return events;
}

describe('readEvents', () => {
  test('gives data, event, id and the time of the chunk that completed each event', async () => {
    expect(await eventsOf('event: a\nid: 7\nda', 'ta: one\ndata:two\n', '\n: comment\n\ndata: last\n\n')).toEqual([
      { data: 'one\ntwo', event: 'a', id: '7', atMs: 2 },
      { data: 'last', atMs: 2 },
    ]);
  });

  test('wherever the chunks are cut, and whatever ends the lines, the events are the same', async () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/[\r\n]/.test(text));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { maxLength: 5 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(400), { maxLength: 8 }),
        fc.boolean(),
        async (events, end, cuts, hasMark) => {
          const body = events.map((lines) => lines.map((text) => `data: ${text}${end}`).join('') + end).join('');
          const bytes = encode((hasMark ? '\ufeff' : '') + body);
          const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
          const pieces = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
          const read = await eventsOf(...pieces);
          expect(read.map(({ data }) => data)).toEqual(events.map((lines) => lines.join('\n')));
          expect(framingProblems(bytes)).toEqual([]);
        },
      ),
    );
  });

  test('drops an event without its blank line', async () => {
    expect(await eventsOf('data: one\n\ndata: two\n')).toHaveLength(1);
  });

  test('survives what is not UTF-8', async () => {
    expect(await eventsOf(new Uint8Array([...encode('data: '), 0xff, 0xc3, ...encode('\n\n')]))).toEqual([
      { data: '\ufffd\ufffd', atMs: 0 },
    ]);
  });

  test.each([
    ['an endless line', () => `data: ${'x'.repeat(256 * 1024)}`, 'x'.repeat(256 * 1024)],
    ['an endless event', () => 'data: begin\n', `data: ${'x'.repeat(1000)}\n`.repeat(256)],
  ])('%s ends the reading', async (_, first, more) => {
    let given = 0;
    async function* endless(): AsyncGenerator<Chunk> {
      yield { atMs: 0, bytes: encode(`data: ok\n\n${first()}`) };
      for (;;) yield { atMs: ++given, bytes: encode(more) };
    }
    const events = readEvents(endless());
    expect(await events.next()).toMatchObject({ value: { data: 'ok' } });
    expect(await events.next()).toEqual({ done: true, value: 'too-large' });
    expect(given).toBeLessThan(40);
  });
});

describe('framingProblems', () => {
  test.each([
    ['', []],
    [': ping\n\n', []],
    ['data: {"a":1}\r\n\r\nid: 1\nevent: x\nretry: 10\ndata\n\n', []],
    ['data: 1\n\n: late comment\n', []],
    ['{"jsonrpc":"2.0"}\n\n', [/^JSON outside a data field, line 1: \{"jsonrpc/]],
    ['data: {\n  "id": 1\n}\n\n', [/^JSON outside a data field, line 2: {3}"id": 1$/]],
    ['[{"id":1}]\n\n', [/^JSON outside/]],
    // What clients ignore is allowed.
    ['foo: bar\nbaz\nEvent: x\n[beat]\nevent: [1]\ndata: 1\n\n', []],
    ['retry: soon\nretry\n\n', []],
    ['id: a\0b\n\n', []],
    [`data: ${'x'.repeat(5 * 1024 * 1024)}\n\n`, []],
    ['Data: 1\n\n', [/must be data/]],
    [' data: 1\n\n', [/must be data/]],
    ['data : 1\n\n', [/must be data/]],
    ['data: 1\n', [/without the blank line/]],
    ['data: 1\n\ndata: 2', [/within a line: data: 2/]],
  ] as const)('%j', (text, problems) => {
    const found = framingProblems(encode(text));
    expect(found).toHaveLength(problems.length);
    for (const [index, problem] of problems.entries()) expect(found[index]).toMatch(problem);
  });

  test('the end of what was cut off is not judged', () => {
    expect(framingProblems(encode('data: 1\n\ndata: 2'), false)).toEqual([]);
    expect(framingProblems(encode('data: é').slice(0, -1), false)).toEqual([]);
    expect(framingProblems(encode('DATA: 1\n\ndata'), false)).toHaveLength(1);
  });

  test('what is not UTF-8 is said', () => {
    expect(framingProblems(new Uint8Array([...encode('data: '), 0xff, 10, 10]))).toEqual(['the stream is not UTF-8']);
  });

  test('judges any bytes without throwing', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => Array.isArray(framingProblems(bytes))));
  });
});
