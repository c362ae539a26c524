import { describe, expect, test } from 'vitest';
import type { CallStep } from '../src/fuzz/case.js';
import { faults } from '../src/reference/index.js';
import { type Carrier, CarrierFailure } from '../src/wire/index.js';
import { asked, cancel, edit, edited, judged, lookAt, plain, read, say } from './fuzz-judged.js';

// What campaigns against real servers had shown wrong: docs/targets-fuzzed.md.

describe('the oracles of single answers', () => {
  test('take no agent for hanging that is at work, and has overlooked the wish not to wait', async () => {
    let overlooked = 0;
    // Who waits where nothing is said, and takes what cannot be read for nothing.
    const overlooking =
      (agent: Carrier): Carrier =>
      (request, signal) => {
        if (request.method !== 'POST') return agent(request, signal);
        const { params, ...call } = JSON.parse(Buffer.from(request.body ?? []).toString()) as Record<string, object>;
        const { configuration }: { readonly configuration?: unknown } = params ?? {};
        if (configuration === '') overlooked++;
        const read = typeof configuration === 'object' ? configuration : { blocking: true };
        const body = Buffer.from(JSON.stringify({ ...call, params: { ...params, configuration: read } }));
        return agent({ ...request, body }, signal);
      };
    const work = say('tck-cancel Work for a long time, until the task is canceled.');
    const buckets = await judged(
      edited(work, edit('/params/configuration', 'type', '')),
      'a2a-0.3',
      [],
      undefined,
      overlooking,
    );
    expect(overlooked).toBeGreaterThan(0);
    expect(buckets.filter((bucket) => bucket.startsWith('alive'))).toEqual([]);
  });

  test('blame what broke inside, and not what was refused after it for a reason', async () => {
    const breaking =
      (agent: Carrier): Carrier =>
      async (request, signal) => {
        const response = await agent(request, signal);
        const { method, params, id } = JSON.parse(Buffer.from(request.body ?? []).toString() || '{}') as {
          readonly method?: string;
          readonly params?: { readonly message?: { readonly taskId?: string } };
          readonly id?: string;
        };
        // It is done, and then something breaks.
        if (method !== 'message/send' || params?.message?.taskId === undefined) return response;
        const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'broken' } }));
        return { ...response, headers: [['content-type', 'application/json']], body: answering(body) };
      };
    const answer = say('tck-complete-task Blue.', { taskId: { $ref: 'a.task' } });
    const buckets = await judged(
      [...asked, lookAt('a'), answer, cancel, lookAt('a')],
      'a2a-0.3',
      [],
      undefined,
      breaking,
    );
    expect(buckets.filter((bucket) => bucket.startsWith('unchanged'))).toEqual(['unchanged/state refused send valid']);
  });

  test('blame no request for a death that one before it may have caused', async () => {
    let isDying = false;
    const dying =
      (agent: Carrier): Carrier =>
      (request, signal) => {
        if (isDying) throw new CarrierFailure('reset', 'nobody there');
        isDying = Buffer.from(request.body ?? []).includes('"token":5');
        return agent(request, signal);
      };
    const config = { pushNotificationConfig: { url: 'https://example.com/', token: 'a' } };
    const asking: CallStep = { ...plain, params: { ...Object(plain.params), configuration: config } };
    const deadly = edit('/params/configuration/pushNotificationConfig/token', 'type', 5);
    const steps = [...edited(asking, deadly), ...edited(read, edit('/params/id', 'type', 5))];
    expect(await judged(steps, 'a2a-0.3', [], undefined, dying)).toEqual(['alive/dead']);
  });

  test('read a request that is nested more deeply than the stack', async () => {
    const broken = faults.find(({ id }) => id === 'data-task-metadata-is-an-array');
    if (broken === undefined) throw new Error('no such fault');
    const deep = edit('/params/metadata', 'bounds', { nested: { $nest: ['{', 20_000] } });
    // Looks for the words of the agent in all that was sent, and fails nowhere.
    const steps = [{ ...plain, as: 'a' }, lookAt('a'), ...edited(cancel, deep)];
    expect(await judged(steps, 'a2a-0.3', [broken.patch])).toContain('law/data/task-metadata send');
  });

  test.each([
    ['one of them brings alone', [], []],
    [
      'only both bring',
      [edit('/params/configuration', 'type', 5)],
      ['alive/exception send required /params/message + type /params/configuration'],
    ],
  ])('with two changes, an exception that %s', async (_, needed, seen) => {
    const exception = { code: -32603, message: "Cannot read properties of undefined (reading 'messageId')" };
    const throwing =
      (agent: Carrier): Carrier =>
      async (request, signal) => {
        const { params, id } = JSON.parse(Buffer.from(request.body ?? []).toString() || '{}') as {
          readonly params?: { readonly message?: unknown; readonly configuration?: unknown };
          readonly id?: string;
        };
        const isBroken = params !== undefined && params.message === undefined && !('id' in params);
        if (!isBroken || (needed.length > 0 && params.configuration !== 5)) return agent(request, signal);
        const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error: exception }));
        return { status: 200, headers: [['content-type', 'application/json']], body: answering(body) };
      };
    const changes = [edit('/params/message', 'required'), edit('/params/configuration', 'type', 5)];
    const buckets = await judged(edited(plain, ...changes), 'a2a-0.3', [], undefined, throwing);
    expect(buckets.filter((bucket) => bucket.startsWith('alive/exception'))).toEqual(seen);
  });
});

async function* answering(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}
