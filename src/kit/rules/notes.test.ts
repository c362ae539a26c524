import { expect, test } from 'vitest';
import { rules } from '../../../suites/index.js';
import { keyOf, kindOf, type Law, type Note, noteOf, type Reading, type Target, takeNotes } from '../index.js';

// A tape holds more answers than can be kept parsed: no law may read those of other exchanges when it judges one.

const endpoint = 'http://agent.test/';
const uri = 'urn:an-extension';
const target = {
  endpoint,
  card: {
    capabilities: { streaming: true, push: true, extendedCard: true, extensions: [{ uri, required: false }] },
    securitySchemes: {},
  },
} as unknown as Target;

const encoded = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const finding = (rule: string) => ({ rule, path: '/x', message: 'is wrong', seen: 'x' });
const inspection = (rule: string) => ({ findings: [finding(rule)], more: new Map(), visited: new Set([rule]) });
const task = { id: 't', status: { state: 'completed' } };

/** What readings of the tape say, one for each way in which laws compare them. */
const said: readonly object[] = [
  { operation: 'get', outcome: { kind: 'result', value: task, wire: task } },
  { operation: 'cancel', http2: true, outcome: { kind: 'refusal', code: 12, inForm: true, message: '' } },
  { operation: 'cancel', outcome: { kind: 'result', value: task, wire: task } },
  { operation: 'get', status: 404, outcome: { kind: 'refusal', inForm: false, message: '' } },
  {
    operation: 'get',
    status: 400,
    outcome: { kind: 'refusal', inForm: true, message: '' },
    replies: [{ value: { error: {} } }],
  },
  {
    outcome: { kind: 'result', value: null, wire: null },
    documents: [{ of: 'card', name: 'card', value: {}, inspection: inspection('card.protocol-version-line') }],
  },
  {
    operation: 'get',
    headers: [['A2A-Extensions', uri]],
    outcome: { kind: 'result', value: task, wire: task },
    documents: [{ of: 'result', name: 'result', value: task, inspection: inspection('data.task-id') }],
  },
  {
    operation: 'get',
    headers: [
      ['content-type', 'application/json'],
      ['X-XPR-Signature', 'x'],
      ['X-Signature', 'x'],
    ],
    outcome: { kind: 'refusal', inForm: true, message: '' },
  },
  {
    operation: 'get',
    failure: { kind: 'timeout', detail: '' },
    outcome: { kind: 'invalid-response', fault: 'timeout', detail: '' },
  },
];

/** A reading that notes when a law reads its answer. */
function readingOf(item: object, onRead: () => void): Reading {
  const { status = 200, http2, headers = [], failure, operation, ...parts } = item as Record<string, unknown>;
  const read = { replies: [], documents: [], stream: undefined, utf8: '', ...parts };
  const watched = <T extends object>(plain: object, late: Readonly<Record<string, unknown>>): T => {
    for (const [name, value] of Object.entries(late)) {
      Object.defineProperty(plain, name, {
        get() {
          onRead();
          return value;
        },
      });
    }
    return plain as T;
  };
  const sent = { jsonrpc: '2.0', id: 'r', method: 'x', params: { id: 'an-id' } };
  const exchange = {
    id: 'x1',
    purpose: 'test',
    startedAt: 1,
    durationMs: 1,
    request: { method: 'POST', url: endpoint, headers, body: encoded(sent), ...(http2 === true ? { http2 } : {}) },
    ...(failure === undefined
      ? { response: watched({ status, headers: [], chunks: [] }, { body: encoded({ jsonrpc: '2.0' }) }) }
      : { failure }),
    call: { operation, valid: true },
  };
  return watched({ exchange, operation, isCall: true, valid: true, rpcId: 'r', sentId: true }, read);
}

/** How many answers of others a law reads to judge an exchange. `take`: it gets its notes before. */
async function readOfOthers(law: Law, at: number, take: boolean): Promise<number> {
  let judged: Reading | undefined;
  const read = new Set<Reading>();
  const tape: Reading[] = said.map((item) => {
    const reading: Reading = readingOf(item, () => read.add(reading));
    return reading;
  });
  if (take) await takeNotes(tape, law.notes);
  read.clear();
  judged = tape[at] as Reading;
  try {
    law.judge(judged, target, tape);
  } catch {
    // These readings say less than real ones, and no offer: what was read until then counts.
  }
  read.delete(judged);
  return read.size;
}

const laws = rules.filter((rule): rule is Law => rule.kind === 'law');

test('no law reads the answers of other exchanges in one turn: it has notes of them', async () => {
  for (const law of laws) {
    const counts = await Promise.all(said.map((_, at) => readOfOthers(law, at, true)));
    expect(counts, law.id).toEqual(said.map(() => 0));
  }
});

test('each law that has notes needs them', async () => {
  const comparing = laws.filter(({ notes }) => notes.length > 0);
  expect(comparing.length).toBeGreaterThan(15);
  for (const law of comparing) {
    const counts = await Promise.all(said.map((_, at) => readOfOthers(law, at, false)));
    expect(Math.max(...counts), law.id).toBeGreaterThan(0);
  }
});

/** Takes longer than a turn may. */
function busy(): void {
  const until = performance.now() + 60;
  while (performance.now() < until);
}

test('notes of many large answers are taken in many turns, each once', async () => {
  let reads = 0;
  const slow = noteOf(({ outcome }) => {
    busy();
    reads++;
    return outcome.kind;
  });
  const other: Note<string> = noteOf(({ outcome }) => outcome.kind);
  const tape = said.slice(0, 4).map((item) => readingOf(item, () => undefined));
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await takeNotes(tape, [slow, other, slow]);
  isOver = true;
  expect(turns).toBeGreaterThanOrEqual(tape.length);
  expect(tape.map(slow)).toEqual(['result', 'refusal', 'result', 'refusal']);
  expect(reads).toBe(tape.length);
});

test('a note that throws stops no other, and throws again for the law', async () => {
  const broken = noteOf((): string => {
    throw new Error('no note');
  });
  let reads = 0;
  const [reading] = said.slice(0, 1).map((item) => readingOf(item, () => reads++));
  if (reading === undefined) throw new Error('no reading');
  await takeNotes([reading], [broken, kindOf]);
  expect(reads).toBe(1);
  expect(kindOf(reading)).toBe('result');
  expect(reads).toBe(1);
  expect(() => broken(reading)).toThrow('no note');
});

test('keys of ids are short', () => {
  expect(keyOf('t')).toBe('t');
  const long = 'a'.repeat(1 << 20);
  expect(keyOf(long).length).toBeLessThan(100);
  expect(keyOf(long)).toBe(keyOf(`${long}`));
  expect(keyOf(long)).not.toBe(keyOf(`${long}a`));
});
