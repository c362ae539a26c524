import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isAlive } from '../../test/alive.js';
import { tail } from './client-process.js';
import { clientOnStdin } from './index.js';

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-stdin-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let programs = 0;
/** A program that does `body` with each line of its standard input: `one` is the line, `tell` prints its argument. */
function program(body: string, first = ''): string {
  const file = join(folder, `${++programs}.mjs`);
  writeFileSync(
    file,
    `
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
appendFileSync(${JSON.stringify(`${file}.pids`)}, process.pid + '\\n');
const tell = (value) => console.log(JSON.stringify(value));
${first}
for await (const line of createInterface({ input: process.stdin })) {
  const one = JSON.parse(line);
  ${body}
}
`,
  );
  return `node ${file}`;
}
const pidsOf = (command: string): readonly number[] =>
  readFileSync(`${command.replace(/^node /, '')}.pids`, 'utf8')
    .trim()
    .split('\n')
    .map(Number);

const launch = (scenario: string, more: object = {}) => ({
  url: `http://127.0.0.1:9/${scenario}`,
  env: { A2A_SCENARIO: scenario, A2A_BINDING: 'JSONRPC', A2A_CONTEXT: '{"do":"send","text":"Hello"}' },
  limitMs: 20_000,
  signal: new AbortController().signal,
  ...more,
});

test('one process gets the errands, one line each, and its answers count', async () => {
  const command = program(
    'console.log("log"); console.error(one.scenario); tell({ id: one.id, text: [process.argv.at(-1), process.env.A2A_BINDING, process.env.A2A_CONTEXT, one.url, one.errand.do].join(), status: one.scenario === "b" ? 3 : undefined });',
  );
  const start = clientOnStdin(command);
  const text = '"text":"-,JSONRPC,,http://127.0.0.1:9/';
  expect(await start(launch('a'))).toEqual({
    ending: { kind: 'exit', status: 0 },
    lines: ['log', `{"id":"1",${text}a,send"}`],
    errors: 'a\n',
  });
  expect(await start(launch('b'))).toEqual({
    ending: { kind: 'exit', status: 3 },
    lines: ['log', `{"id":"2",${text}b,send","status":3}`],
    errors: 'b\n',
  });
  await start.close?.();
  expect(pidsOf(command).length).toBe(1);
  expect(pidsOf(command).filter(isAlive)).toEqual([]);
});

test('errands at the same time have a process each, which are used again', async () => {
  const command = program('setTimeout(() => tell({ id: one.id, text: one.scenario }), 50);');
  const start = clientOnStdin(command);
  for (let round = 0; round < 3; round++) {
    const ended = await Promise.all(['a', 'b', 'c'].map((scenario) => start(launch(scenario))));
    expect(ended.map(({ lines }) => JSON.parse(lines.at(-1) ?? '').text)).toEqual(['a', 'b', 'c']);
  }
  await start.close?.();
  expect(pidsOf(command).length).toBe(3);
});

test('a program that dies is reported, and another does the rest', async () => {
  const command = program('if (one.scenario === "b") throw new Error("no b"); tell({ id: one.id });');
  const start = clientOnStdin(command);
  expect((await start(launch('a'))).note).toBeUndefined();
  const dead = await start(launch('b'));
  expect(dead).toMatchObject({ ending: { kind: 'exit', status: 1 }, lines: [] });
  expect(dead.errors).toContain('no b');
  expect(dead.note).toBe('the program ended with exit code 1 without an answer; what followed was played with another');
  expect(await start(launch('c'))).toMatchObject({ ending: { kind: 'exit', status: 0 } });
  await start.close?.();
});

test('a program that ends after each errand is started for each, and nothing is lost', async () => {
  const command = program('tell({ id: one.id }); setTimeout(() => process.exit(4), 5);');
  const start = clientOnStdin(command);
  for (const scenario of ['a', 'b', 'c', 'd'])
    expect(await start(launch(scenario))).toMatchObject({ ending: { kind: 'exit', status: 0 } });
  await start.close?.();
});

test('a program that hangs is ended, and only the errand that it hangs in is lost', async () => {
  const command = program('if (one.scenario !== "b") tell({ id: one.id });', 'process.on("SIGTERM", () => {});');
  const start = clientOnStdin(command);
  await start(launch('a'));
  const hung = await start(launch('b', { limitMs: 300 }));
  expect(hung.ending).toEqual({ kind: 'hung', afterMs: 300 });
  expect(hung.note).toContain('did not answer within 0.3 s, and was ended');
  expect((await start(launch('c'))).note).toBeUndefined();
  await start.close?.();
  expect(pidsOf(command).length).toBe(2);
  expect(pidsOf(command).filter(isAlive)).toEqual([]);
});

test('the time of an errand begins with its first request', async () => {
  const start = clientOnStdin(program(''));
  const begun = performance.now();
  const called = new Promise<void>((resolve) => void setTimeout(resolve, 600));
  const hung = await start(launch('a', { limitMs: 300, startMs: 20_000, called }));
  expect(hung.ending).toEqual({ kind: 'hung', afterMs: 300 });
  expect(performance.now() - begun).toBeGreaterThan(850);
  await start.close?.();
});

test.each([
  ['another id', 'tell({ id: "9", state: "completed" });', 'the id "9" where 1 was asked'],
  ['no id', 'tell({ state: "completed" });', 'no id where 1 was asked'],
])('a line with %s is not taken for an answer, and the note says why', async (_, body, why) => {
  const start = clientOnStdin(program(body));
  const ended = await start(launch('a', { limitMs: 2000 }));
  expect(ended.ending.kind).toBe('hung');
  expect(ended.lines).toEqual([]);
  expect(ended.note).toContain(why);
});

test('an answer that comes late for another errand is not taken for this one', async () => {
  const start = clientOnStdin(program('tell({ id: "1", state: "failed" }); tell({ id: one.id, state: "completed" });'));
  await start(launch('a'));
  const ended = await start(launch('b'));
  expect(ended.lines.map((line) => JSON.parse(line).id)).toEqual(['2']);
  await start.close?.();
});

test('garbage and floods cost no more than their end, and the answer is found', async () => {
  const flood =
    'const b = Buffer.alloc(1 << 20, 0x7b); for (let i = 0; i < 64; i++) fs.writeSync(1, b); fs.writeSync(1, "\\n{]\\n\\u0000\\n"); tell({ id: one.id, text: "here" });';
  const start = clientOnStdin(program(flood, "import fs from 'node:fs';"));
  const before = process.memoryUsage().rss;
  const ended = await start(launch('a'));
  expect(JSON.parse(ended.lines.at(-1) ?? '')).toEqual({ id: '1', text: 'here' });
  expect(ended.lines.join('').length).toBeLessThan(10 << 20);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 << 20);
  await start.close?.();
});

test('a program that closes its input, or never reads, is held to the limit', async () => {
  const file = join(folder, 'deaf.mjs');
  writeFileSync(file, 'process.stdin.destroy(); setInterval(() => {}, 1000);');
  const ended = await clientOnStdin(`node ${file}`)(launch('a', { limitMs: 800 }));
  expect(ended.ending.kind).toBe('hung');
});

test('the end of the run ends the program, also between errands', async () => {
  const command = program('if (one.scenario === "a") tell({ id: one.id });');
  const start = clientOnStdin(command);
  await start(launch('a'));
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 300);
  expect((await start(launch('b', { signal: stop.signal }))).ending).toEqual({ kind: 'signal', signal: 'SIGTERM' });
  await start.close?.();
  expect(pidsOf(command).filter(isAlive)).toEqual([]);
});

test.each([
  ['with LF', '\n'],
  ['without LF', ''],
])('an answer right before the end of its program, %s, is not lost', async (_, end) => {
  const start = clientOnStdin(
    program(
      `fs.writeSync(1, 'x'.repeat(1 << 16) + '\\n' + JSON.stringify({ id: one.id, state: 'completed' }) + ${JSON.stringify(end)}); process.exit(3);`,
      "import fs from 'node:fs';",
    ),
  );
  for (const scenario of ['a', 'b', 'c']) {
    const ended = await start(launch(scenario));
    expect(ended).toMatchObject({ ending: { kind: 'exit', status: 0 }, errors: '' });
    expect(ended.note).toBeUndefined();
    expect(JSON.parse(ended.lines.at(-1) ?? '').state).toBe('completed');
  }
  await start.close?.();
});

test('bytes that come one by one take no more room than those that come at once, and their end counts', () => {
  const whole = tail(8 << 20);
  const before = process.memoryUsage().heapUsed;
  for (let count = 0; count < 500_000; count++) whole.add(Uint8Array.of(0x30 + (count % 10)));
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(40 << 20);
  expect(whole.text()).toBe('0123456789'.repeat(50_000));
  const kept = tail(1000);
  kept.add(Buffer.from('y'.repeat(5000)));
  kept.add(Buffer.from('z'));
  expect(kept.text()).toBe(`${'y'.repeat(999)}z`);
});

test('a program that is not there is an error of usage', async () => {
  await expect(clientOnStdin('no-such-program-anywhere')(launch('a'))).rejects.toThrow(
    /the program no-such-program-anywhere does not exist/,
  );
  expect(() => clientOnStdin("node '")).toThrow(/without its end/);
});
