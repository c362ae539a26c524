import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Sent, Trace } from '../src/fuzz/execute/trace.js';
import { contentView } from '../src/fuzz/oracles/law-view.js';
import type { Reading } from '../src/kit/index.js';
import { createInspector } from '../src/ledger/schemas.js';
import { brief } from '../src/model/index.js';
import type { Carrier } from '../src/wire/index.js';
import { judge } from './judged.js';
import { growthOf } from './work.js';

// What the agent sends may be large, and is work for the kit: ten times as much of it is at most eleven times the work.
// Counted, not timed (see work.ts).

const most = 11;

type Card = Record<string, unknown> & { capabilities?: Record<string, unknown> };

/** Another card, and what stands at other URLs. */
const serving =
  (edit: (card: Card) => unknown, others: Readonly<Record<string, unknown>> = {}) =>
  (carrier: Carrier): Carrier =>
  async (request, signal) => {
    const reply = await carrier(request, signal);
    if (request.method !== 'GET') return reply;
    const path = new URL(request.url).pathname;
    const other = others[path];
    async function* body(): AsyncGenerator<Uint8Array> {
      const chunks: Uint8Array[] = [];
      for await (const chunk of reply.body) chunks.push(chunk);
      if (other !== undefined) return yield Buffer.from(JSON.stringify(other));
      const document = JSON.parse(Buffer.concat(chunks).toString()) as Card;
      edit(document);
      yield Buffer.from(JSON.stringify(document));
    }
    const headers = reply.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
    return { ...reply, status: other === undefined ? reply.status : 200, headers, body: body() };
  };

const times = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));

describe('ten times as much is at most eleven times the work', () => {
  test('skills of a signed card, and keys of one name', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k' };
    const head = Buffer.from(JSON.stringify({ alg: 'ES256', kid: 'k', jku: 'http://agent.test/keys' }));
    const signature = { protected: head.toString('base64url'), signature: Buffer.alloc(64, 1).toString('base64url') };
    const growth = await growthOf(
      (size) =>
        judge({
          profile: 'a2a-1.0',
          checks: ['signature/verifies'],
          between: serving(
            (card) => {
              card['signatures'] = [signature];
              card['skills'] = times(size, (at) => ({ id: `s${at}`, name: 's', description: 'd', tags: ['t'] }));
            },
            { '/keys': { keys: times(size, () => jwk) } },
          ),
        }),
      100,
    );
    expect(growth).toBeLessThanOrEqual(most);
  }, 120_000);

  test.each([false, true])(
    'extensions, each the next version of another one; required: %s',
    async (required) => {
      const growth = await growthOf(
        (size) =>
          judge({
            profile: 'a2a-1.0',
            checks: [
              'extension/no-other-version',
              'extension/unknown-ignored',
              'extension/inactive-by-default',
              'extension/core-unchanged',
              'extension/activation-echoed',
              'extension/required-version-refused',
            ],
            between: serving((card) => {
              const extensions = times(size, (at) => ({ uri: `https://e.test/v${at + 1}`, required }));
              card.capabilities = { ...card.capabilities, extensions };
            }),
          }),
        200,
      );
      expect(growth).toBeLessThanOrEqual(most);
    },
    120_000,
  );

  test('findings in one list of an answer to the fuzzer', async () => {
    const sent = {
      step: { step: 'call', operation: 'send' },
      demand: 'valid',
      unresolved: [],
      sentAt: 1,
      endedAt: 2,
      text: '{"parts":[{"text":"x"}]}',
    } as unknown as Sent;
    const trace = { case: { dialect: 'a2a-1.0', steps: [] }, sent: [sent], begun: new Map() } as unknown as Trace;
    const growth = await growthOf((size) => {
      const value = { parts: times(size, () => ({ nothing: 1 })) };
      const findings = times(size, (at) => ({ rule: 'data.part', path: `/parts/${at}`, message: 'm', seen: 's' }));
      const document = {
        of: 'result',
        name: 'result',
        value,
        inspection: { findings, more: new Map(), visited: new Set() },
      };
      const reading = { documents: [document], valid: true } as unknown as Reading;
      expect(contentView(reading, trace, sent).documents[0]?.inspection.findings).toHaveLength(size);
    }, 20);
    expect(growth).toBeLessThanOrEqual(most);
  });

  test('parts of a document that are all wrong', async () => {
    const { inspect } = createInspector('a2a/1.0');
    const growth = await growthOf((size) => {
      const { more } = inspect('agent-card.schema.json', { skills: times(size, () => ({})) });
      expect([...more.values()].reduce((sum, value) => sum + value, 0)).toBeGreaterThan(size === 1 ? -1 : size);
    }, 400);
    expect(growth).toBeLessThanOrEqual(most);
  });

  test('what is shown of a large value in short', async () => {
    const growth = await growthOf((size) => brief({ list: times(size, (at) => ({ at })) }), 1000);
    expect(growth).toBeLessThanOrEqual(1);
  });
});
