import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clientCommand, secretsInCommand, wordsOf } from './index.js';

const launch = (url = 'http://127.0.0.1:9') => ({
  url,
  env: { A2A_SCENARIO: 'send', A2A_CONTEXT: '{"do":"send"}' },
  limitMs: 20_000,
  signal: new AbortController().signal,
});

test.each([
  ['node client.js', ['node', 'client.js']],
  ["  node  'my client.js' ", ['node', 'my client.js']],
  ['node "a \\"b\\" c" d\\ e', ['node', 'a "b" c', 'd e']],
  ["node ''", ['node', '']],
  ['python3 -c \'print("$HOME")\'', ['python3', '-c', 'print("$HOME")']],
])('the words of %j', (command, words) => {
  expect(wordsOf(command)).toEqual(words);
});

test.each(['', '   ', "node 'client.js", 'node "client.js'])('%j is no command', (command) => {
  expect(() => wordsOf(command)).toThrow(/--command/);
});

test('the URL is the last argument, and the environment has the errand', async () => {
  const program = 'console.log(process.argv.at(-1), process.env.A2A_SCENARIO, process.env.A2A_CONTEXT)';
  const ended = await clientCommand(`node -e '${program}' --`)(launch());
  expect(ended.ending).toEqual({ kind: 'exit', status: 0 });
  expect(ended.lines).toEqual(['http://127.0.0.1:9 send {"do":"send"}']);
});

test('no shell reads the URL, with --shell either', async () => {
  const url = 'http://127.0.0.1:9/$(echo no)';
  expect((await clientCommand('echo')(launch(url))).lines).toEqual([url]);
  expect((await clientCommand('true && echo yes', { shell: true })(launch(url))).lines).toEqual([`yes ${url}`]);
});

test('what a client says on its way out is kept, and its exit code', async () => {
  const ended = await clientCommand('node -e \'console.error("no such thing");process.exit(3)\'')(launch());
  expect(ended).toMatchObject({ ending: { kind: 'exit', status: 3 }, errors: 'no such thing\n' });
});

test('a program that is not there is an error of usage', async () => {
  await expect(clientCommand('no-such-program-anywhere')(launch())).rejects.toThrow(/there is no program/);
});

/** A process that has ended may still stand in the list until its parent has asked for it. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = `/proc/${pid}/stat`;
    return !(existsSync(stat) && /\) Z /.test(readFileSync(stat, 'utf8')));
  } catch {
    return false;
  }
}

test('a client that hangs is ended together with what it started', async () => {
  const child = "require('node:child_process').spawn('sleep',['60'],{stdio:'inherit'})";
  const started = Date.now();
  const ended = await clientCommand(`node -e "console.log(${child}.pid);setInterval(()=>{},1000)"`)({
    ...launch(),
    limitMs: 1500,
  });
  expect(ended.ending).toEqual({ kind: 'hung', afterMs: 1500 });
  expect(Date.now() - started).toBeLessThan(15_000);
  const pid = Number(ended.lines[0]);
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('a client that ignores the request to end is ended all the same', async () => {
  const ended = await clientCommand('node -e \'process.on("SIGTERM",()=>{});setInterval(()=>{},1000)\'')({
    ...launch(),
    limitMs: 1000,
  });
  expect(ended.ending.kind).toBe('hung');
});

test('a client that floods its output costs no more than its end', async () => {
  const ended = await clientCommand(
    'node -e \'const b="x".repeat(1<<20)+"\\n";for(let i=0;i<64;i++)require("fs").writeSync(1,b);console.log("{}")\'',
  )(launch());
  expect(ended.lines.at(-1)).toBe('{}');
  expect(ended.lines.join('').length).toBeLessThan(10 << 20);
});

test.each([
  ['node client.js --token abcdef', ['abcdef']],
  ["node client.js --api-key='abcdef' --verbose", ['abcdef']],
  ['env API_TOKEN=abcdef node client.js', ['abcdef']],
  ['node client.js --key --other', []],
  ['node keyboard.js --keyboard qwerty', []],
])('%j has the secrets %j', (command, secrets) => {
  expect(secretsInCommand(command)).toEqual(secrets);
});
