import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { type RunEvent, run, runAgainst, type TargetOptions, TckError } from '../src/index.js';
import { startAgent } from './examples/agent.js';
import { firstFailure } from './examples/events.js';
import { passes } from './examples/report.js';

// What programs use. The examples of docs/api.md and docs/expectations.md are the files in test/examples; the tests
// among them run by themselves.

test('the examples are those of the pages', () => {
  const pages = {
    'docs/expectations.md': ['expectations.test.ts'],
    'docs/api.md': ['report.ts', 'events.ts', 'conformance.test.ts'],
  };
  for (const [page, names] of Object.entries(pages))
    for (const name of names) {
      const code = readFileSync(`test/examples/${name}`, 'utf8')
        .replace("'../../src/index.js'", "'a2a-tck'")
        .replace("'../../src/adapters/vitest.js'", "'a2a-tck/vitest'");
      expect(readFileSync(page, 'utf8')).toContain(`\`\`\`ts\n${code}\`\`\`\n`);
    }
});

test('a report, and the first failure', async () => {
  const silent = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const good = await startAgent();
  const bad = await startAgent('cancel-accepts-terminal');
  try {
    expect(await passes(good.url)).toBe(true);
    expect(await firstFailure(bad.url)).toMatch(/^task\/[a-z-]+: it was accepted/);
  } finally {
    await good.stop();
    await bad.stop();
    silent.mockRestore();
  }
});

test('the events end with the report', async () => {
  const agent = await startAgent();
  try {
    const events: RunEvent[] = [];
    for await (const event of run({ url: agent.url, checks: ['card/*'], seed: 1 })) events.push(event);
    const [first, last] = [events[0], events.at(-1)];
    expect(first).toMatchObject({ type: 'run.started', seed: 1 });
    const judged = events.filter((event) => event.type === 'check.judged');
    expect(last?.type === 'run.ended' && last.report.checks.length).toBe(judged.length);
  } finally {
    await agent.stop();
  }
});

test('what is chosen is the same until the kit changes, and messages are new all the same', {
  timeout: 30_000,
}, async () => {
  const agent = await startAgent();
  try {
    const asked = async (options: Partial<TargetOptions>) => {
      const { run, exchanges } = await runAgainst({
        url: agent.url,
        checks: ['message/context-id-kept'],
        concurrency: 1,
        ...options,
      });
      const bodies = exchanges.map(({ request }) => new TextDecoder().decode(request.body));
      return { seed: run.seed, ids: bodies.flatMap((body) => /"messageId":"([^"]+)"/.exec(body)?.[1] ?? []) };
    };
    const [first, second] = [await asked({}), await asked({})];
    expect(second.seed).toBe(first.seed);
    expect(first.ids.length).toBeGreaterThan(0);
    expect(second.ids.filter((id) => first.ids.includes(id))).toEqual([]);
    const [third, fourth] = [await asked({ seed: first.seed }), await asked({ seed: first.seed })];
    expect(fourth).toEqual(third);
    const campaigns = [
      await asked({ fuzz: { alone: true, runs: 1 } }),
      await asked({ fuzz: { alone: true, runs: 1 } }),
    ];
    expect(new Set([first.seed, ...campaigns.map(({ seed }) => seed)]).size).toBe(3);
  } finally {
    await agent.stop();
  }
});

test('expectations are functions, and options that are none are refused', async () => {
  const agent = await startAgent();
  try {
    const { expectations } = await runAgainst({
      url: agent.url,
      checks: ['card/published'],
      expect: [{ name: 'short', prompt: 'Hello!', holds: ({ text }) => expect(text.length, 'length').toBeLessThan(5) }],
    });
    expect(expectations).toMatchObject([
      { verdict: 'fail', reason: expect.stringMatching(/^length: expected \d+ to be less than 5$/) },
    ]);
    const wrong = [{ name: 'a', prompt: 'b', holds: 'c' }] as unknown as NonNullable<TargetOptions['expect']>;
    await expect(runAgainst({ url: agent.url, expect: wrong })).rejects.toMatchObject({
      code: 'usage',
      message: 'the option "expect.0.holds" must be a function',
    });
  } finally {
    await agent.stop();
  }
});

test('a run that ends before an agent is found says so, and not that there is none', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  await expect(runAgainst({ url: `http://127.0.0.1:${port}`, maxTimeMs: 1000 })).rejects.toMatchObject({
    code: 'unreachable',
    message: 'the run ended before an agent was found: its time is over: --max-time 1 s',
  });
  silent.closeAllConnections();
  silent.close();
});

test('wrong options reject with a TckError', async () => {
  const asking = async () => {
    for await (const { type } of run({ url: 'nowhere' })) expect(type).toBe('run.started');
  };
  await expect(asking()).rejects.toThrow(TckError);
  await expect(asking()).rejects.toMatchObject({ code: 'usage' });
});
