import { describe, expect, test } from 'vitest';
import { jsonReport, reporters } from '../reporters/index.js';
import type { Report } from '../src/report/index.js';
import type { Carrier } from '../src/wire/index.js';
import { type JudgedSettings, judge } from './judged.js';
import { streaming } from './peers/hostile-rest.js';
import { renderBy } from './reports.js';

const encoder = new TextEncoder();
const json = (status: number, value: unknown) => ({
  status,
  headers: [['content-type', 'application/json']] as const,
  body: (async function* () {
    yield encoder.encode(JSON.stringify(value));
  })(),
});

/** An agent that answers calls of these methods with the same status and, under 200, the same error. */
const refusing =
  (methods: RegExp, status: number, error: unknown): NonNullable<JudgedSettings['between']> =>
  (carrier: Carrier): Carrier =>
  async (request, signal) => {
    const body = new TextDecoder().decode(request.body ?? new Uint8Array());
    const { method, id = null } = request.method === 'POST' && body.startsWith('{') ? safely(body) : {};
    if (typeof method !== 'string' || !methods.test(method)) return carrier(request, signal);
    return json(status, status === 200 ? { jsonrpc: '2.0', id, error } : {}) as never;
  };

function safely(text: string): { method?: unknown; id?: unknown } {
  try {
    return JSON.parse(text) as { method?: unknown };
  } catch {
    return {};
  }
}

const messages = /^message\/(send|stream)$/;
const all = /./;

const written = (id: string, report: Report): string => {
  const reporter = reporters.find((reporter) => reporter.id === id);
  if (reporter === undefined) throw new Error(`no reporter ${id}`);
  return renderBy(reporter, report);
};

describe('an agent that takes no message is unproven, and the cause comes first', () => {
  test.for<[string, RegExp, number, unknown, RegExp]>([
    ['-32603 to each message', messages, 200, { code: -32603, message: 'Internal error' }, /-32603 Internal error/],
    ['-32006 to each message', messages, 200, { code: -32006, message: 'Invalid agent response' }, /-32006 Invalid/],
    ['401 to each call', all, 401, undefined, /401.*--bearer-env/],
    ['403 to each call', all, 403, undefined, /403.*--bearer-env/],
    ['429 to each call, for ever', all, 429, undefined, /429|limit/],
  ])('%s', async ([, methods, status, error, cause]) => {
    const report = await judge({ between: refusing(methods, status, error) });
    expect(
      report.checks.filter((check) => check.verdict === 'fail' && check.level === 'must').map(({ id }) => id),
    ).toEqual([]);
    expect(report.gate).toMatchObject({ passed: false, verdict: 'unproven', exitCode: 4 });
    expect(report.gate.reasons[0]).toMatch(cause);
    expect(report.run.messages).toMatchObject({ accepted: false });
    for (const id of ['console', 'html', 'markdown', 'junit', 'tap', 'ctrf', 'sarif']) {
      expect(written(id, report), id).toContain('UNPROVEN');
    }
    expect(jsonReport(report).gate.verdict).toBe('unproven');
    expect(written('badge', report)).toContain('"color":"lightgrey"');
  });

  test('a check that stays inconclusive is not a success', async () => {
    const report = await judge({
      checks: ['task/cancel-terminal-refused'],
      between: refusing(messages, 200, { code: -32603, message: 'Internal error' }),
    });
    expect(report.checks.map(({ verdict }) => verdict)).toEqual(['inconclusive']);
    expect(report.gate.exitCode).toBe(4);
  });

  test('checks of the card need no message', async () => {
    const report = await judge({ checks: ['card/*'], between: refusing(all, 401, undefined) });
    expect(report.run.messages).toBeUndefined();
    expect(report.gate.exitCode).toBe(0);
  });
});

/** Streams of this agent have one event, which never ends. */
const endless: NonNullable<JudgedSettings['between']> = (carrier) => async (request, signal) => {
  const reply = await carrier(request, signal);
  const sent = new Map(reply.headers.map(([name, value]) => [name.toLowerCase(), value]));
  const isOfGrpc = /\/(SendStreamingMessage|SubscribeToTask)$/.test(request.url);
  if (sent.get('content-type') !== 'text/event-stream' && (!isOfGrpc || sent.has('grpc-status'))) return reply;
  return {
    ...reply,
    trailers: () => undefined,
    body: (async function* () {
      yield isOfGrpc ? Uint8Array.from([0, 0xff, 0xff, 0xff, 0xff]) : encoder.encode('data: ');
      while (!signal.aborted) yield encoder.encode('a'.repeat(16_384));
    })(),
  };
};

test.for(['a2a-0.3', 'a2a-1.0', 'a2a-1.0-rest', 'a2a-1.0-grpc'] as const)(
  'an agent of %s is unproven if no event of its streams can be read',
  async (profile) => {
    const report = await judge({ profile, patches: [streaming], between: endless });
    expect(report.gate).toMatchObject({ passed: false, verdict: 'unproven', exitCode: 4 });
    expect(report.gate.reasons[0]).toMatch(/^the agent opens streams, and no event of any could be read: .*longer/);
    expect(report.run.messages).toMatchObject({ accepted: true, streams: { read: false } });
    expect(written('badge', report)).toContain('"color":"lightgrey"');
  },
);
