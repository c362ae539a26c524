import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { isAlive } from '../../test/alive.js';
import { clientCommand, commandWords, secretsInCommand } from './index.js';

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
  expect(commandWords(command)).toEqual(words);
});

test.each(['', '   ', "node 'client.js", 'node "client.js'])('%j is not a command', (command) => {
  expect(() => commandWords(command)).toThrow(/--command/);
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
  await expect(clientCommand('no-such-program-anywhere')(launch())).rejects.toThrow(
    /the program no-such-program-anywhere does not exist/,
  );
});

// The programs in these tests sleep longer than a test may wait.
test('a client that hangs is ended together with what it started', async () => {
  const child = "require('node:child_process').spawn('sleep',['60'],{stdio:'inherit'})";
  const ended = await clientCommand(`node -e "console.log(${child}.pid);setInterval(()=>{},1000)"`)({
    ...launch(),
    limitMs: 1500,
  });
  expect(ended.ending).toEqual({ kind: 'hung', afterMs: 1500 });
  const pid = Number(ended.lines[0]);
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('the time of a client begins with its first request', async () => {
  let call = (): void => undefined;
  const called = new Promise<void>((resolve) => {
    call = resolve;
  });
  const begun = performance.now();
  setTimeout(call, 1000);
  const ended = await clientCommand('node -e "setInterval(()=>{},1000)"')({
    ...launch(),
    limitMs: 700,
    startMs: 20_000,
    called,
  });
  expect(ended.ending).toEqual({ kind: 'hung', afterMs: 700 });
  expect(performance.now() - begun).toBeGreaterThan(1600);
});

test('a client that ignores the request to end is ended all the same', async () => {
  const ended = await clientCommand('node -e \'process.on("SIGTERM",()=>{});setInterval(()=>{},1000)\'')({
    ...launch(),
    limitMs: 1000,
  });
  expect(ended.ending.kind).toBe('hung');
});

const onLinux = test.skipIf(process.platform !== 'linux');

/** A client that leaves a process in a session of its own, prints its id, and ends. */
const leaving = (options: string): string =>
  `node -e "const c=require('child_process').spawn('sleep',['60'],{detached:true,${options}});c.unref();console.log(c.pid);process.exit()"`;

onLinux('what a client left in a session of its own is not waited for, and is ended', async () => {
  const ended = await clientCommand(leaving("stdio:'inherit'"))(launch());
  expect(ended.ending).toEqual({ kind: 'exit', status: 0 });
  expect(ended.leftRunning).toBeUndefined();
  const pid = Number(ended.lines[0]);
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isAlive(pid)).toBe(false);
});

onLinux('a daemon that a client left is ended too, and nobody else', async () => {
  const bystander = spawn('sleep', ['60']);
  const ended = await clientCommand(leaving("stdio:'ignore'"))(launch());
  const pid = Number(ended.lines[0]);
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(isAlive(bystander.pid ?? 0)).toBe(true);
  bystander.kill();
});

onLinux('what cannot be found is not waited for either, and is told', async () => {
  const ended = await clientCommand(leaving("stdio:'inherit',env:{PATH:process.env.PATH}"))(launch());
  expect(ended).toMatchObject({ ending: { kind: 'exit', status: 0 }, leftRunning: true });
  const pid = Number(ended.lines[0]);
  expect(isAlive(pid)).toBe(true);
  process.kill(pid);
});

test('all that a client has written when it ends is read, though its output stays open', async () => {
  const script = [
    "require('child_process').spawn('sleep',['60'],{detached:true,env:{PATH:process.env.PATH},stdio:'inherit'}).unref()",
    "for(let i=0;i<20000;i++)require('fs').writeSync(1,'line '+i+'\\\\n')",
  ].join(';');
  const ended = await clientCommand(`node -e "${script}"`)(launch());
  expect(ended.lines.at(-1)).toBe('line 19999');
});

test('a client that is started after the end of the run is ended at once', async () => {
  const ended = await clientCommand("node -e 'setInterval(()=>{},1000)'")({ ...launch(), signal: AbortSignal.abort() });
  expect(ended.ending).toEqual({ kind: 'signal', signal: 'SIGTERM' });
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
