import { expect, test } from 'vitest';
import { dialectById } from '../dialect/index.js';
import { createInspector } from '../ledger/schemas.js';
import { createRedactor, exchangeIds } from '../wire/index.js';
import { scenarios, setStage } from './index.js';
import { roomFor } from './recorder.js';
import { maySpell } from './spelling.js';

const dialectOf = (id: string) => {
  const found = dialectById(id);
  if (found === undefined) throw new Error(`unknown dialect ${id}`);
  return found;
};

test('only over HTTP+JSON of 0.3 clients may choose how they spell', () => {
  const all = ['a2a-1.0', 'a2a-1.0-rest', 'a2a-1.0-grpc', 'a2a-0.3', 'a2a-0.3-rest', 'a2a-0.3-grpc', 'a2a-0.2'];
  expect(all.filter((id) => maySpell(dialectOf(id)))).toEqual(['a2a-0.3-rest']);
});

test('each client is answered as it asks, also where it sends no message, and where other clients ask at once', async () => {
  const dialect = dialectOf('a2a-0.3-rest');
  const scenario = scenarios.find(({ id }) => id === 'send');
  if (scenario === undefined) throw new Error('scenario send is missing');
  const staged = await setStage(scenario, {
    dialect,
    inspector: createInspector(dialect.schemas),
    nextId: exchangeIds(),
    signal: new AbortController().signal,
    spellings: new Map(),
    room: roomFor(64 << 20),
    redactor: createRedactor([]),
  });
  const bodies = {
    proto: { message: { messageId: 'm-1', role: 'ROLE_USER', content: [{ text: 'Hello' }] } },
    schema: { message: { messageId: 'm-2', role: 'user', kind: 'message', parts: [{ kind: 'text', text: 'Hello' }] } },
  };
  const ask = async (name: keyof typeof bodies, path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${staged.stage.places.agent}/v1/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'user-agent': name, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  const taskOf = (answer: Record<string, unknown>) => (answer['task'] ?? answer) as { id: string; status: object };
  const names = ['proto', 'schema'] as const;
  const sent = await Promise.all(names.map((name) => ask(name, 'message:send', bodies[name])));
  const got = await Promise.all(names.map((name, at) => ask(name, `tasks/${taskOf(sent[at] ?? {}).id}`)));
  for (const answers of [sent, got])
    expect(answers.map((answer) => (taskOf(answer).status as { state: string }).state)).toEqual([
      'TASK_STATE_COMPLETED',
      'completed',
    ]);
  await staged.close();
});
