import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createChainStub } from '../packs/xpr/run/chain-stub.js';
import { runCommandLine } from '../src/cli/command-line.js';
import type { Terminal } from '../src/cli/terminal.js';
import { createHttpCarrier } from '../src/wire/http.js';
import { realClock } from '../src/wire/index.js';

// `a2a-tck stub`: what it prints where, what it serves, and how it ends.

interface Started {
  /** What was printed on stdout once there are both lines. */
  readonly lines: Promise<readonly string[]>;
  readonly code: Promise<number>;
  err(): string;
  interrupt(): void;
}

function start(...args: readonly string[]): Started {
  let out = '';
  let err = '';
  let interrupt = (): void => undefined;
  let printed = (_: readonly string[]): void => undefined;
  const lines = new Promise<readonly string[]>((resolve) => {
    printed = resolve;
  });
  const terminal: Terminal = {
    out: (text) => {
      out += text;
      if (out.split('\n').length > 2) printed(out.trimEnd().split('\n'));
    },
    err: (text) => {
      err += text;
    },
    env: {},
    isTTY: false,
    columns: undefined,
    onInterrupt: (then) => {
      interrupt = then;
      return () => undefined;
    },
    quit: () => undefined,
  };
  return { lines, code: runCommandLine(['stub', ...args], terminal), err: () => err, interrupt: () => interrupt() };
}

const ask = (url: string, question: string, body: unknown): Promise<Response> =>
  fetch(`${url}/v1/chain/${question}`, { method: 'POST', body: JSON.stringify(body) });

test.each(['xpr', 'xpr-v2'])('stub --profile %s serves a chain and its control until Ctrl-C', async (profile) => {
  const stub = start('--profile', profile);
  const [url = '', second = '', ...rest] = await stub.lines;
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(second).toMatch(/^control http:\/\/127\.0\.0\.1:\d+$/);
  expect(rest).toEqual([]);
  const controlUrl = second.slice('control '.length);
  for (const word of [
    `XPR_RPC_ENDPOINT=${url}`,
    `--profile ${profile} --xpr-stub ${controlUrl}`,
    'alice',
    'tckagent',
  ]) {
    expect(stub.err()).toContain(word);
  }

  const carrier = createHttpCarrier();
  const control = createChainStub(controlUrl, { carrier, clock: realClock });
  expect((await ask(url, 'get_account', { account_name: 'alice' })).status).toBe(200);
  await control.setFailure('alice', 'html');
  expect((await ask(url, 'get_account', { account_name: 'alice' })).headers.get('content-type')).toContain('text/html');
  expect(await control.calls()).toHaveLength(2);
  await control.removeAccount('bob');
  await control.reset();
  expect((await ask(url, 'get_account', { account_name: 'bob' })).status).toBe(200);
  // The control is not on the port that the agent sees.
  expect((await fetch(`${url}/control/reset`, { method: 'POST', body: '{}' })).status).toBe(404);
  await carrier.close();

  stub.interrupt();
  expect(await stub.code).toBe(0);
  await expect(ask(url, 'get_info', {})).rejects.toThrow();
  await expect(control.reset()).rejects.toThrow('does not answer');
});

test('--chain-id is the id of the chain', async () => {
  const id = 'ab'.repeat(32);
  const stub = start('--profile', 'xpr-v2', '--chain-id', id.toUpperCase());
  const [url = ''] = await stub.lines;
  expect(await (await ask(url, 'get_info', {})).json()).toMatchObject({ chain_id: id });
  stub.interrupt();
  expect(await stub.code).toBe(0);
});

test.each([
  [[], '--profile is missing'],
  [['--profile', 'a2a-0.3'], 'no stub exists for a2a-0.3'],
  [['--profile', 'xpr', '--chain-id', 'xyz'], '64 hexadecimal digits'],
  [['--profile', 'xpr', '--port', '70000'], '--port'],
  [['--profile', 'xpr', '--control-port', 'x'], '--control-port'],
])('stub %j is wrong usage', async (args, sentence) => {
  const stub = start(...args);
  expect(await stub.code).toBe(2);
  expect(stub.err()).toContain(sentence);
});

test('a control port that is taken ends it, and frees the other port', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  const free = createServer().listen(0, '127.0.0.1');
  await Promise.all([once(taken, 'listening'), once(free, 'listening')]);
  const portOf = (server: typeof taken): string => String((server.address() as AddressInfo).port);
  const port = portOf(free);
  free.close();
  await once(free, 'close');
  const stub = start('--profile', 'xpr', '--port', port, '--control-port', portOf(taken));
  expect(await stub.code).toBe(2);
  expect(stub.err()).toContain('cannot listen on 127.0.0.1');
  await expect(ask(`http://127.0.0.1:${port}`, 'get_info', {})).rejects.toThrow();
  taken.close();
});
