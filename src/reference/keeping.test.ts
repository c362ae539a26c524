import { describe, expect, test } from 'vitest';
import { memoryArchive } from './archive.js';
import { createTestClient, message03, type TestClientOptions } from './test-client.js';

describe('a queue', () => {
  const options: TestClientOptions = { spelling: { queue: true, absent: [], patienceMs: 0 } };
  const send = (agent: ReturnType<typeof createTestClient>, text: string, contextId: string) =>
    agent.call('message/send', { message: message03(text, { contextId }) }).then(({ result }) => result.id as string);

  test('works on one task of a context at a time, and on others meanwhile', async () => {
    const agent = createTestClient(options);
    const [a, b, c] = [
      await send(agent, 'tck-long-running', 'one'),
      await send(agent, 'tck-long-running', 'one'),
      await send(agent, 'tck-long-running', 'two'),
    ];
    const states = async () => {
      const found: string[] = [];
      for (const id of [a, b, c]) found.push((await agent.call('tasks/get', { id })).result.status.state);
      return found;
    };
    expect(await states()).toEqual(['submitted', 'submitted', 'submitted']);
    await agent.wait(500);
    expect(await states()).toEqual(['working', 'submitted', 'working']);
    const { tasks } = (await agent.call('tasks/list', { contextId: 'one' })).result;
    expect(tasks.map(({ status }: { status: { state: string } }) => status.state).sort()).toEqual([
      'submitted',
      'working',
    ]);
    await agent.wait(1000);
    expect(await states()).toEqual(['completed', 'working', 'completed']);
    await agent.wait(2000);
    expect(await states()).toEqual(['completed', 'completed', 'completed']);
  });

  test('goes on past what is canceled, and past what waits for the client', async () => {
    const agent = createTestClient(options);
    const endless = await send(agent, 'tck-cancel', 'one');
    const dropped = await send(agent, 'hello', 'one');
    const asking = await send(agent, 'tck-input-required', 'one');
    const last = await send(agent, 'hello', 'one');
    await agent.wait(100_000);
    await agent.call('tasks/cancel', { id: dropped });
    await agent.call('tasks/cancel', { id: endless });
    await agent.wait(1000);
    const state = async (id: string) => (await agent.call('tasks/get', { id })).result.status.state;
    expect([await state(dropped), await state(asking), await state(last)]).toEqual([
      'canceled',
      'input-required',
      'completed',
    ]);
  });
});

describe('an archive', () => {
  test('brings tasks over a restart, and work that was left', async () => {
    const archive = memoryArchive();
    const before = createTestClient({ archive });
    const done = (await before.call('message/send', { message: message03('hello') })).result;
    const left = (
      await before.call('message/send', { message: message03('tck-long-running'), configuration: { blocking: false } })
    ).result;
    before.agent.stop();
    const after = createTestClient({ archive });
    expect((await after.call('tasks/get', { id: done.id })).result).toEqual(done);
    await after.wait(5000);
    expect((await after.call('tasks/get', { id: left.id })).result.status.state).toBe('completed');
    const fresh = (await after.call('message/send', { message: message03('hello') })).result;
    expect([done.id, left.id]).not.toContain(fresh.id);
    expect(fresh.contextId).not.toBe(done.contextId);
  });

  test('loses finished tasks when their time is over', async () => {
    const archive = memoryArchive();
    const { call, wait } = createTestClient({ archive, spelling: { keepMs: 60_000, absent: [] } });
    const { id } = (await call('message/send', { message: message03('hello') })).result;
    const waiting = (await call('message/send', { message: message03('tck-input-required') })).result.id;
    await wait(59_000);
    expect((await call('tasks/get', { id })).result.id).toBe(id);
    await wait(2000);
    expect((await call('tasks/get', { id })).error.code).toBe(-32001);
    expect((await call('tasks/list', {})).result.tasks).toHaveLength(1);
    expect([...archive.load()].map(({ task }) => task.id)).toEqual([waiting]);
  });
});
