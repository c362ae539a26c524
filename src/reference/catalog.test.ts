import { describe, expect, test } from 'vitest';
import { faults, variants } from '../../fixtures/faults/index.js';
import { a2a03 } from '../dialect/a2a-0.3.js';
import type { ProfileId } from '../dialect/index.js';
import { a2a10Rest } from '../dialect/rest.js';
import { terminalBench } from '../dialect/terminal-bench.js';
import { createInspector } from '../ledger/schemas.js';
import { canParseUrl } from '../model/index.js';
import { bodyText, type Carrier, type Header, virtualClock } from '../wire/index.js';
import { createAgent, impostors, type Patch, type Variant } from './index.js';

const baseUrl = 'http://agent.test/a';

/** Body and status of an answer. */
async function observe(carrier: Carrier, method: string, url: string, headers: readonly Header[], body?: string) {
  const bytes = body === undefined ? {} : { body: new TextEncoder().encode(body) };
  const response = await carrier({ method, url, headers, ...bytes }, new AbortController().signal);
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return { status: response.status, headers: response.headers, body: bodyText(Buffer.concat(chunks)) };
}

/** A short life with some of everything; the same for all. */
async function biography(carrier: Carrier, { headers = [], query = [], cardUrl }: Partial<Variant> = {}) {
  const seen = [];
  const at = cardUrl?.(baseUrl) ?? `${baseUrl}/.well-known/agent-card.json`;
  const card = await observe(carrier, 'GET', at, headers);
  seen.push(card);
  const credentials = query.map(([name, value]) => `?${name}=${value}`).join('');
  const url = (() => {
    try {
      const { url } = JSON.parse(card.body) as { url?: unknown };
      return `${typeof url === 'string' && canParseUrl(url) ? url : `${baseUrl}/`}${credentials}`;
    } catch {
      return `${baseUrl}/`;
    }
  })();
  let count = 0;
  const post = async (body: string) => {
    const item = await observe(carrier, 'POST', url, [['content-type', 'application/json'], ...headers], body);
    seen.push(item);
    try {
      return JSON.parse(item.body) as { result?: { id?: string } };
    } catch {
      return {};
    }
  };
  const call = (method: string, params?: unknown) =>
    post(JSON.stringify({ jsonrpc: '2.0', id: `r${++count}`, method, params }));
  const send = (text: string | undefined, more: object = {}) =>
    call('message/send', {
      message: {
        kind: 'message',
        messageId: `m${count}`,
        role: 'user',
        ...(text === undefined ? {} : { parts: [{ kind: 'text', text }] }),
        ...more,
      },
    });
  for (const text of [
    'Zoë 🙂',
    'tck-input-required',
    'tck-auth-required',
    'work for a long time',
    'tck-message-response',
  ]) {
    const id = (await send(text)).result?.id;
    await call('tasks/get', { id: id ?? 'x' });
    await send('blue', { taskId: id });
    await call('tasks/cancel', { id: id ?? 'x' });
    await call('tasks/cancel', { id: id ?? 'x' });
    await call('tasks/get', { id: id ?? 'x', historyLength: 1 });
  }
  await call('message/send', {
    message: { messageId: 'now', role: 'user', parts: [{ kind: 'text', text: 'hello' }] },
    configuration: { blocking: false },
  });
  await send(undefined);
  const file = { bytes: 'AA==', mimeType: 'application/x-exotic' };
  await send('', { parts: [{ kind: 'file', file: { bytes: 'AA==' } }] });
  await send('', { parts: [{ kind: 'file', file }] });
  await call('nothing');
  await call('tasks/get', { id: 'unknown' });
  await call('message/stream', {});
  await call('agent/getAuthenticatedExtendedCard');
  await post('{');
  await post('[{"jsonrpc":"2.0","id":1,"method":"x"}]');
  await post('{"jsonrpc":"2.0","id":1}');
  await post('{"jsonrpc":"2.0","method":"tasks/get","params":{"id":"x"}}');
  seen.push(await observe(carrier, 'GET', url, []));
  for (const path of ['agent-card.json', 'agent.json']) {
    seen.push(await observe(carrier, 'GET', `${baseUrl}/.well-known/${path}`, []));
  }
  seen.push(await observe(carrier, 'POST', url, [['content-type', 'text/plain']], '{}'));
  return seen;
}

const agentWith = (...patches: readonly Patch[]) => {
  const clock = virtualClock();
  return { clock, ...createAgent({ dialect: a2a03, clock, baseUrl, patches }) };
};
const life = (...patches: readonly Patch[]) => biography(agentWith(...patches).handle);

test('ids are unique', () => {
  for (const list of [faults, variants, impostors]) {
    const ids = list.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, about } of list) {
      expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(about).toMatch(/\.$/);
    }
  }
});

const inspector = createInspector('a2a/0.3.0');
const terminalBenchInspector = createInspector('a2a/terminal-bench');

/** What the schemas find in the card and the results of a biography. */
function findings(seen: readonly { readonly body: string }[]): readonly unknown[] {
  return seen.flatMap(({ body }, at) => {
    if (!body.startsWith('{')) return [];
    const { result, error } = JSON.parse(body) as { result?: { skills?: unknown }; error?: unknown };
    if (error !== undefined) return [];
    const ref =
      at === 0 || result?.skills !== undefined ? 'agent-card.schema.json' : 'rpc.schema.json#/$defs/send.result';
    const document = result ?? (JSON.parse(body) as unknown);
    return result === undefined && at > 0 ? [] : inspector.inspect(ref, document).findings;
  });
}

test('the plain agent fits the schemas, and the schemas see what does not', async () => {
  expect(findings(await life())).toEqual([]);
  const faulty = faults.find(({ id }) => id === 'data-task-without-context-id');
  expect(findings(await life(faulty?.patch ?? (() => ({}))))).not.toEqual([]);
});

test('a fault stands on a variant that there is', () => {
  const ids = variants.map(({ id }) => id);
  expect(faults.filter(({ on }) => on !== undefined && !ids.includes(on))).toEqual([]);
});

/** Those that charge stand on a merchant, and are asked for other things. */
const fitting = (profile: ProfileId): readonly Variant[] =>
  variants.filter(
    ({ profiles, binding, charges }) =>
      charges !== true &&
      (binding === undefined || binding === 'jsonrpc') &&
      (profiles === undefined || profiles.includes(profile)),
  );

// That they fail no check and do not crash, and that impostors pass none, `prove` shows.
describe('variants', () => {
  // They are another agent only for requests that this test does not send: over time, under load, or in odd requests.
  const unseen = [
    'slow',
    'byte-by-byte',
    'rate-limit-429',
    'rate-limit-as-error',
    'any-content-type',
    'lenient-json',
    'parser-with-limits',
    'nan-is-an-invalid-request',
    'empty-batch-as-array',
    'takes-messages-without-id',
    'message-only-when-waited-for',
    'message-now-and-then',
    'has-two-workers',
    'answers-in-history-unless-waited-for',
    'fails-by-standing-still',
  ];

  test('are other agents than the plain one', async () => {
    const plain = JSON.stringify(await life());
    const same: string[] = [];
    for (const variant of fitting('a2a-0.3')) {
      if (JSON.stringify(await biography(agentWith(variant.patch).handle, variant)) === plain) same.push(variant.id);
    }
    expect(same.filter((id) => !unseen.includes(id))).toEqual([]);
  });

  test('fit the schemas as Terminal Bench agents', async () => {
    const wrong: unknown[] = [];
    for (const { id, patch, headers = [], cardUrl } of fitting('terminal-bench')) {
      if (id === 'extra-members') continue;
      const agent = createAgent({ dialect: terminalBench, clock: virtualClock(), baseUrl, patches: [patch] });
      const card = await observe(agent.handle, 'GET', cardUrl?.(baseUrl) ?? `${baseUrl}/agent-card`, []);
      const { url } = JSON.parse(card.body) as { url: string };
      const params = { message: { role: 'user', parts: [{ kind: 'text', text: 'hello' }] } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message.send', params });
      const answer = await observe(agent.handle, 'POST', url, [['content-type', 'application/json'], ...headers], body);
      const { result } = JSON.parse(answer.body) as { result: unknown };
      const found = [
        ...terminalBenchInspector.inspect('agent-card.schema.json', JSON.parse(card.body)).findings,
        ...terminalBenchInspector.inspect('rpc.schema.json#/$defs/send.result', result).findings,
      ];
      if (found.length > 0) wrong.push({ id, found });
    }
    expect(wrong).toEqual([]);
  });

  test('two-interfaces answers over HTTP+JSON as well', async () => {
    const { handle } = agentWith(variants.find(({ id }) => id === 'two-interfaces')?.patch ?? (() => ({})));
    const rest = (method: string, path: string, body?: unknown) =>
      observe(handle, method, `${baseUrl}/rest${path}`, [], body === undefined ? body : JSON.stringify(body));
    const message = { messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'hello' }] };
    const task = JSON.parse((await rest('POST', '/v1/message:send', { message })).body) as { id: string };
    expect(JSON.parse((await rest('GET', `/v1/tasks/${task.id}`)).body)).toEqual(task);
    expect((await rest('POST', `/v1/tasks/${task.id}:cancel`)).status).toBe(400);
    expect((await rest('GET', '/v1/tasks/nothing')).status).toBe(404);
  });

  test('the rate limits forget after a minute', async () => {
    for (const id of ['rate-limit-429', 'rate-limit-as-error']) {
      const { handle, clock } = agentWith(variants.find((variant) => variant.id === id)?.patch ?? (() => ({})));
      const json: readonly Header[] = [['content-type', 'application/json']];
      const ask = () => observe(handle, 'POST', `${baseUrl}/`, json, '{"jsonrpc":"2.0","id":9,"method":"x"}');
      for (let calls = 0; calls < 20; calls++) expect((await ask()).body).toContain('-32601');
      expect((await ask()).body).not.toContain('-32601');
      await new Promise<void>((resolve) => void clock.after(60_001, resolve));
      expect((await ask()).body).toContain('-32601');
    }
  });
});

describe('over HTTP+JSON', () => {
  /** What comes back for a message whose task waits for an answer. */
  const toldOverHttp = async (handle: Carrier): Promise<string> => {
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'tck-input-required' }] };
    const headers: readonly Header[] = [
      ['content-type', 'application/json'],
      ['a2a-version', '1.0'],
    ];
    const { body } = await observe(handle, 'POST', `${baseUrl}/message:send`, headers, JSON.stringify({ message }));
    return body;
  };
  const waits = /^\{"task":.*"TASK_STATE_INPUT_REQUIRED"/;

  test('a large body is refused before it is parsed', async () => {
    const { handle } = createAgent({ dialect: a2a10Rest, clock: virtualClock(), baseUrl });
    const json: readonly Header[] = [['content-type', 'application/json']];
    const large = await observe(handle, 'POST', `${baseUrl}/message:send`, json, '{'.repeat(1024 * 1024 + 1));
    expect(large.status).toBe(413);
    expect(JSON.parse(large.body)).toMatchObject({ error: { code: 413, message: expect.any(String) } });
  });

  test('the reference agent asks for what a task needs', async () => {
    const { handle } = createAgent({ dialect: a2a10Rest, clock: virtualClock(), baseUrl });
    expect(await toldOverHttp(handle)).toMatch(waits);
  });
});
