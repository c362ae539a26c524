import { CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { TckError, type TckErrorCode } from '../model/index.js';
import { runCommandLine } from './command-line.js';
import { reportFailure } from './failure.js';
import { interruptible } from './interruption.js';
import { type Terminal, wantsColour, wantsLiveLine } from './terminal.js';

interface Recorder extends Terminal {
  readonly said: { out: string; err: string; quits: number[] };
  interrupt(): void;
}

function recorder(more: Partial<Terminal> = {}): Recorder {
  const said = { out: '', err: '', quits: [] as number[] };
  const listeners = new Set<() => void>();
  return {
    said,
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    env: {},
    isTTY: false,
    columns: undefined,
    onInterrupt(then) {
      listeners.add(then);
      return () => listeners.delete(then);
    },
    quit: (code) => said.quits.push(code),
    interrupt() {
      for (const listener of listeners) listener();
    },
    ...more,
  };
}

describe('exit codes', () => {
  const codes: readonly (readonly [TckErrorCode, number])[] = [
    ['usage', 2],
    ['config', 2],
    ['unreachable', 3],
    ['not-an-agent', 3],
    ['internal', 70],
  ];
  test.each(codes)('%s ends with %i', async (code, exit) => {
    expect(await reportFailure(new TckError(code, 'no'), recorder())).toBe(exit);
  });
  test('what commander refuses is wrong usage, what it shows is none', async () => {
    const terminal = recorder();
    const error = new CommanderError(1, 'commander.unknownOption', "error: unknown option '--x'\n(Did you mean --y?)");
    expect(await reportFailure(error, terminal)).toBe(2);
    expect(terminal.said.err).toBe("a2a-tck: unknown option '--x'\n  Did you mean --y?\n");
    expect(await reportFailure(new CommanderError(0, 'commander.help', ''), recorder())).toBe(0);
  });
  test('anything else is our own fault, in two lines, without its message, which may quote a secret', async () => {
    const terminal = recorder();
    expect(await reportFailure(new TypeError('a\nb\u001b[2J'), terminal)).toBe(70);
    expect(terminal.said.err).toMatch(/^a2a-tck: the kit itself failed: TypeError\n {2}[^\n]+\n$/);
    const debugging = recorder({ env: { A2A_TCK_DEBUG: '1' } });
    await reportFailure(new SyntaxError('/Sesame\n    at Sesame/: too large'), debugging);
    expect(debugging.said.err).toContain('\n    at ');
    expect(debugging.said.err).not.toContain('too large');
  });
  test('help goes to stdout, and so does the version', async () => {
    const terminal = recorder();
    expect(await runCommandLine(['--version'], terminal)).toBe(0);
    expect(await runCommandLine(['run', '--help'], terminal)).toBe(0);
    expect(terminal.said).toMatchObject({ err: '', out: expect.stringContaining('--min-proof <percent>') });
  });
});

test('the first Ctrl-C ends the run, the second the process', async () => {
  const terminal = recorder();
  const seen: boolean[] = [];
  await interruptible(terminal, async (signal) => {
    seen.push(signal.aborted);
    terminal.interrupt();
    seen.push(signal.aborted);
    expect(terminal.said.quits).toEqual([]);
    terminal.interrupt();
  });
  expect(seen).toEqual([false, true]);
  expect(terminal.said.quits).toEqual([130]);
  terminal.interrupt();
  expect(terminal.said.quits).toEqual([130]);
});

test('colours and the live line are for terminals', () => {
  const at = (isTTY: boolean, env: Terminal['env'] = {}) => {
    const terminal = recorder({ isTTY, env });
    return [wantsColour(terminal), wantsLiveLine(terminal)];
  };
  expect(at(true)).toEqual([true, true]);
  expect(at(false)).toEqual([false, false]);
  expect(at(true, { NO_COLOR: '1' })).toEqual([false, true]);
  expect(at(true, { CI: 'true' })).toEqual([true, false]);
  expect(at(true, { TERM: 'dumb' })).toEqual([false, false]);
  expect(at(false, { FORCE_COLOR: '1' })).toEqual([true, false]);
});
