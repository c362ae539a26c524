import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { dialectById } from '../dialect/index.js';
import { sqliteArchive } from './archive-sqlite.js';
import { createTestClient, type TestClientOptions } from './test-client.js';

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-archive-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const openclaw = dialectById('openclaw');
const agentOn = (options: TestClientOptions) =>
  createTestClient({ ...(openclaw === undefined ? {} : { dialect: openclaw }), ...options });
const saying = (text: string, contextId?: string) => ({
  message: { role: 'user', parts: [{ type: 'text', text }], ...(contextId === undefined ? {} : { contextId }) },
  configuration: { blocking: true },
});

test('tasks outlive the agent in a file', async () => {
  const file = join(folder, 'tasks.db');
  const first = await sqliteArchive(file);
  const before = agentOn({ archive: first });
  const done = (await before.call('message/send', saying('héllo 🙂'))).result;
  const { result: left } = await before.call('message/send', {
    ...saying('tck-long-running', done.contextId),
    configuration: { blocking: false },
  });
  before.agent.stop();
  first.close();

  const second = await sqliteArchive(file);
  const after = agentOn({ archive: second });
  expect((await after.call('tasks/get', { id: done.id })).result).toEqual(done);
  expect((await after.call('tasks/list', {})).result.tasks).toHaveLength(2);
  await after.wait(5000);
  expect((await after.call('tasks/get', { id: left.id })).result.status.state).toBe('completed');
  after.agent.stop();
  second.close();
});

test('finished tasks are gone from the file after seven days', async () => {
  const archive = await sqliteArchive(join(folder, 'week.db'));
  const { agent, call, wait } = agentOn({ archive });
  const { id } = (await call('message/send', saying('hello'))).result;
  const day = 24 * 60 * 60 * 1000;
  await wait(7 * day - 60_000);
  expect((await call('tasks/get', { id })).result.id).toBe(id);
  await wait(2 * 60_000);
  expect((await call('tasks/get', { id })).error.code).toBe(-32001);
  expect([...archive.load()]).toEqual([]);
  agent.stop();
  archive.close();
});

test('a file that is not a database is named', async () => {
  const file = join(folder, 'notes.txt');
  writeFileSync(file, 'no database '.repeat(200));
  await expect(sqliteArchive(file)).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(file) });
});
