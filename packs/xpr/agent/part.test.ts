import { describe, expect, test } from 'vitest';
import { faults, presets, variants } from '../../../fixtures/faults/index.js';
import { xprV2 } from '../../../src/dialect/xpr.js';
import { createInspector } from '../../../src/ledger/schemas.js';

import { headerNames } from '../signing/index.js';
import { changed, known, meet, refused } from './guest.js';

const message = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }] });
const send = (text: string, more: object = {}) => ({ message: message(text), ...more });

describe('the card', () => {
  test.each([['xpr', undefined] as const, ['xpr-v2', xprV2] as const])(
    'of %s is that of the document',
    async (_, dialect) => {
      const { http } = await meet(dialect === undefined ? {} : { dialect });
      const { status, json } = await http('GET', '/.well-known/agent.json');
      expect(status).toBe(200);
      expect(json).toEqual({
        name: 'Reference Agent',
        description: expect.any(String),
        url: 'http://agent.test/a',
        version: '1.0.0',
        capabilities: { streaming: false, pushNotifications: false, stateTransitionHistory: false },
        defaultInputModes: ['text'],
        defaultOutputModes: ['text'],
        skills: [
          { id: 'echo', name: 'echo', description: expect.any(String), tags: ['echo'] },
          { id: 'draw', name: 'draw', description: expect.any(String), tags: ['draw'] },
        ],
        'xpr:account': 'tckagent',
        'xpr:protocol': 'https',
        'xpr:trustScore': expect.any(Number),
        'xpr:kycLevel': 1,
        'xpr:registeredAt': 1704067200,
        'xpr:owner': 'alice',
      });
      expect((await http('GET', '/.well-known/agent-card.json')).status).toBe(404);
    },
  );

  test('names the account that the agent is set to', async () => {
    const { http, ask, control } = await meet({ dialect: xprV2, settings: { account: 'other' } });
    expect((await http('GET', '/.well-known/agent.json')).json['xpr:account']).toBe('other');
    expect(await ask()).toBe(refused);
    expect(await ask({ scheme: { lines: 5, audience: 'other', chainId: await control.chainId() } })).toBe(known);
  });
});

describe('a task', () => {
  test('has the members of the document and no others', async () => {
    const { call } = await meet();
    const { result } = await call('message/send', send('hello', { contextId: 'c', 'xpr:callerAccount': 'bob' }));
    const task = {
      id: expect.any(String),
      status: {
        state: 'completed',
        message: { role: 'agent', parts: [{ type: 'text', text: 'Done.' }] },
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      },
      artifacts: [{ parts: [{ type: 'text', text: 'You said: hello' }], index: 0 }],
    };
    expect(result).toEqual(task);
    expect((await call('tasks/get', { id: result.id })).result).toEqual(result);
    const data = await call('message/send', send('tck-artifact-data'));
    expect(data.result.artifacts).toEqual([{ parts: [{ type: 'data', data: { key: 'value', count: 42 } }], index: 0 }]);
    const states = ['tck-reject-task', 'tck-auth-required', 'tck-message-response'].map(
      async (text) => (await call('message/send', send(text))).result.status.state,
    );
    expect(await Promise.all(states)).toEqual(['failed', 'input-required', 'completed']);
  });

  test('goes on by its id, and ends for good', async () => {
    const { call, wait } = await meet();
    const { result } = await call('message/send', send('tck-input-required'));
    const { id } = result;
    expect(result.status.state).toBe('input-required');
    expect((await call('message/send', send('blue', { id, contextId: 'other' }))).error.code).toBe(-32602);
    const done = (await call('message/send', send('blue', { id }))).result;
    expect([done.id, done.status.state]).toEqual([id, 'completed']);
    expect((await call('message/send', send('again', { id }))).error.code).toBe(-32602);
    expect((await call('tasks/cancel', { id })).error.code).toBe(-32002);
    await wait(60_000);
    expect((await call('tasks/get', { id })).result).toEqual(done);
    const long = (await call('message/send', send('work for a long time'))).result;
    expect((await call('tasks/cancel', { id: long.id })).result.status.state).toBe('canceled');
    await wait(60_000);
    expect((await call('tasks/get', { id: long.id })).result.status.state).toBe('canceled');
    for (const params of [
      {},
      send('x', { id: 7 }),
      send('x', { contextId: null }),
      send('x', { 'xpr:callerAccount': 1 }),
      send('x', { metadata: { 'xpr:jobId': '42' } }),
      { message: { role: 'user', parts: [{ kind: 'text', text: 'x' }] } },
    ]) {
      expect([params, (await call('message/send', params)).error?.code]).toEqual([params, -32602]);
    }
  });

  test('belongs to who signed for it; to others it is not there', async () => {
    const { as } = await meet();
    const [alice, bob] = [as('alice'), as('bob')];
    const { id } = (await alice('message/send', send('tck-input-required', { 'xpr:callerAccount': 'bob' }))).result;
    for (const [method, params] of [
      ['tasks/get', { id }],
      ['tasks/cancel', { id }],
      ['message/send', send('blue', { id, 'xpr:callerAccount': 'alice' })],
    ] as const) {
      const foreign = await bob(method, params);
      const unknown = await bob(method, JSON.parse(JSON.stringify(params).replace(id, 'unknown')));
      expect(foreign.error.code).toBe(known);
      expect(foreign.error).toEqual(unknown.error);
    }
    expect((await alice('tasks/get', { id })).result.status.state).toBe('input-required');
  });
});

describe('an agent that wants no signature', () => {
  const start = () => meet({ settings: { mode: 'optional', rateLimit: 6 } });
  const open = [['content-type', 'application/json'] as const];

  test('serves a caller without a claim without a name, whatever name the request gives', async () => {
    const { as, http } = await start();
    const { id } = (await as('alice')('message/send', send('tck-input-required'))).result;
    const unsigned = async (method: string, params: unknown, account?: string) => {
      const headers = account === undefined ? open : [...open, [headerNames.account, account] as const];
      return (await http('POST', '/a2a', headers, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))).json;
    };
    expect((await unsigned('tasks/get', { id }, 'alice')).error.code).toBe(known);
    expect((await unsigned('tasks/cancel', { id }, 'alice')).error.code).toBe(known);
    const own = (await unsigned('message/send', send('hello', { 'xpr:callerAccount': 'alice' }), 'alice')).result;
    expect((await as('alice')('tasks/get', { id: own.id })).error.code).toBe(known);
    expect((await unsigned('tasks/get', { id: own.id })).result).toEqual(own);
  });

  test('verifies whatever is claimed', async () => {
    const { ask, write } = await start();
    const letter = write();
    expect(await ask(changed(letter, headerNames.signature, ''))).toBe(refused);
    expect(await ask(changed(letter, headerNames.signature, 'SIG_K1_x'))).toBe(refused);
    expect(await ask(changed(letter, headerNames.timestamp))).toBe(refused);
    expect(await ask(changed(letter, headerNames.account))).toBe(refused);
    expect(await ask({ account: 'carol' })).toBe(refused);
    expect(await ask(letter)).toBe(known);
  });

  test('counts all callers without a claim as one, apart from all others', async () => {
    const { ask, write, wait } = await start();
    const nobody = () => ask(changed(changed(write(), headerNames.signature), headerNames.account));
    const named = () => ask(changed(write({ account: 'bob' }), headerNames.signature));
    for (let calls = 0; calls < 3; calls++) expect([await nobody(), await named()]).toEqual([known, known]);
    expect([await nobody(), await named()]).toEqual([refused, refused]);
    expect(await ask({ account: 'bob' })).toBe(known);
    await wait(60_000);
    expect(await nobody()).toBe(known);
  });
});

describe('variants', () => {
  const inspector = createInspector('a2a/xpr');
  const fitting = variants.filter(
    ({ profiles, charges }) => charges !== true && (profiles === undefined || profiles.includes('xpr')),
  );
  /** What they add is unknown to the document. */
  const talkative = ['extra-members', 'every-optional-member', 'xpr-shows-owner'];
  test.each(fitting.map((variant) => [variant.id, variant] as const))(
    '%s fits the document',
    async (id, { patch, cardUrl }) => {
      const { http, write, agent } = await meet({ patches: [patch] });
      const base = 'http://agent.test/a';
      const card = await http('GET', cardUrl?.(base).slice(base.length) ?? '/.well-known/agent.json');
      expect([card.status, inspector.inspect('agent-card.schema.json', card.json).findings]).toEqual([200, []]);
      const named = card.json.url.slice(base.length);
      const path = named.endsWith('/a2a') ? named : `${named}/a2a`;
      for (const text of [
        'hello',
        'tck-artifact-file',
        'tck-auth-required',
        'tck-reject-task',
        'tck-message-response',
      ]) {
        const letter = write({
          body: JSON.stringify({ jsonrpc: '2.0', id: text, method: 'message/send', params: send(text) }),
        });
        const { result } = (await http('POST', path, letter.headers, letter.body)).json;
        const { findings } = inspector.inspect('rpc.schema.json#/$defs/send.result', result);
        if (!talkative.includes(id)) expect(findings).toEqual([]);
      }
      expect(agent.crashes).toEqual([]);
    },
  );
});

test('every fault and variant of a preset is there', () => {
  for (const { faults: named, variant } of presets) {
    for (const id of named) expect(faults.map((fault) => fault.id)).toContain(id);
    if (variant !== undefined) expect(variants.map((variant) => variant.id)).toContain(variant);
  }
});
