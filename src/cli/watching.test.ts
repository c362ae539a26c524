import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { reportOf } from '../../test/reports.js';
import { TckError } from '../model/tck-error.js';
import type { Report } from '../report/index.js';
import type { Settings } from './settings.js';
import { watched } from './watching.js';

/**
 * Watches a port at which a server listens, and ends after two looks in one wait: the first look made no
 * new run. `runs` are what each run gives; the last one again and again.
 */
async function watchOn(...runs: readonly (Report | TckError)[]) {
  let looks = 0;
  let end = (): void => undefined;
  const server = createServer((socket) => {
    socket.destroy();
    looks++;
    if (looks === 2) end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let count = 0;
  const reasons: string[] = [];
  const work = async (_: Settings, onReport: (report: Report) => void): Promise<number> => {
    const given = runs[Math.min(count, runs.length - 1)];
    count++;
    // What runs without end is ended here, or the test would never fail.
    if (count > 20) throw new TckError('internal', 'it runs again and again');
    if (given instanceof TckError) throw given;
    if (given !== undefined) onReport(given);
    return 1;
  };
  const terminal = {
    out: () => undefined,
    err: (text: string) => reasons.push(text),
    env: {},
    isTTY: false,
    columns: undefined,
    onInterrupt(then: () => void) {
      looks = 0;
      end = then;
      return () => undefined;
    },
    quit: () => undefined,
  };
  const settings = { outputs: [] } as unknown as Settings;
  const code = await watched(`http://127.0.0.1:${port}`, [], settings, work, terminal).finally(() => server.close());
  return { count, code, backs: reasons.filter((reason) => reason.includes('the agent is back')).length };
}

const died = reportOf([], {
  causes: [{ id: 'died', fact: 'the agent died', advice: '', checks: [], exchanges: [] }],
});
const unreachable = new TckError('unreachable', 'no TLS');

describe('--watch, at a terminal', () => {
  test('runs once, and waits', async () => {
    expect(await watchOn(reportOf([]))).toEqual({ count: 1, code: 1, backs: 0 });
    expect(await watchOn(new TckError('not-an-agent', 'a web page'))).toEqual({ count: 1, code: 3, backs: 0 });
  });
  test('tries once more what cannot be reached, and not without end', async () => {
    expect(await watchOn(unreachable)).toEqual({ count: 2, code: 3, backs: 1 });
    expect(await watchOn(unreachable, reportOf([]))).toEqual({ count: 2, code: 1, backs: 1 });
  });
  test('runs again on an agent that died during a run and is back, once', async () => {
    expect(await watchOn(died, reportOf([]))).toEqual({ count: 2, code: 1, backs: 1 });
    expect(await watchOn(died)).toEqual({ count: 2, code: 1, backs: 1 });
  });
});
