import { expect, test } from 'vitest';
import { caip2Of, localToken } from '../packs/x402/payments/index.js';
import { createFacilitatorStub } from '../packs/x402/run/facilitator-stub.js';
import { runCommandLine } from '../src/cli/command-line.js';
import type { Terminal } from '../src/cli/terminal.js';
import { createHttpCarrier } from '../src/wire/http.js';
import { realClock } from '../src/wire/index.js';

// `a2a-tck stub --x402`: what it prints where, what it serves, and how it ends.

function start(...args: readonly string[]) {
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

test.each([[['--x402']], [['--profile', 'x402']]])('stub %j serves a facilitator and its control', async (args) => {
  const stub = start(...args);
  const [url = '', second = '', ...rest] = await stub.lines;
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(second).toMatch(/^control http:\/\/127\.0\.0\.1:\d+$/);
  expect(rest).toEqual([]);
  const controlUrl = second.slice('control '.length);
  for (const word of [url, `--x402 --x402-stub ${controlUrl}`, localToken.asset]) expect(stub.err()).toContain(word);

  const carrier = createHttpCarrier();
  const control = createFacilitatorStub(controlUrl, { carrier, clock: realClock });
  const token = { network: caip2Of(localToken.chainId), asset: localToken.asset };
  await control.fund(localToken.asset, token, '5');
  expect(await control.balance(localToken.asset, token)).toBe('5');
  expect(await (await fetch(`${url}/supported`)).json()).toMatchObject({ extensions: [] });
  expect((await control.calls()).map(({ path }) => path)).toEqual(['/supported']);
  // The control is not on the port that the agent sees.
  expect((await fetch(`${url}/control/reset`, { method: 'POST', body: '{}' })).status).toBe(404);
  await carrier.close();

  stub.interrupt();
  expect(await stub.code).toBe(0);
  await expect(control.reset()).rejects.toThrow('does not answer');
});

test.each([
  [['--x402', '--profile', 'xpr'], 'are two stubs'],
  [['--x402', '--chain-id', 'ab'], '--chain-id is for the stub of a chain'],
])('stub %j is wrong usage', async (args, sentence) => {
  const stub = start(...args);
  expect(await stub.code).toBe(2);
  expect(stub.err()).toContain(sentence);
});
