import { expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { member } from '../src/model/index.js';
import { type Patch, variants } from '../src/reference/index.js';
import type { Report } from '../src/report/index.js';
import {
  afterDrop,
  type Carrier,
  CarrierFailure,
  type Clock,
  createRedactor,
  type WireRequest,
} from '../src/wire/index.js';
import { type JudgedSettings, judge } from './judged.js';

// The report says once what is so of the agent as a whole, and no check fails for it: 1.0, one check at a time.

const encoder = new TextEncoder();
async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  if (text !== '') yield encoder.encode(text);
}
const textReply = (status: number, text: string, headers: readonly (readonly [string, string])[] = []) => ({
  status,
  headers: [['content-type', 'text/plain'], ...headers] as const,
  body: bodyOf(text),
});

interface Sent {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}
function sentIn({ method, body }: WireRequest): Sent {
  if (method !== 'POST') return {};
  try {
    const found: unknown = JSON.parse(Buffer.from(body ?? []).toString('utf8'));
    return typeof found === 'object' && found !== null ? found : {};
  } catch {
    return {};
  }
}
const errorReply = (request: WireRequest, error: unknown) => ({
  status: 200,
  headers: [['content-type', 'application/json']] as const,
  body: bodyOf(JSON.stringify({ jsonrpc: '2.0', id: sentIn(request).id ?? null, error })),
});

/** The agent, but for requests that are answered by something else. */
const but =
  (
    answer: (request: WireRequest) => Promise<Awaited<ReturnType<Carrier>>> | ReturnType<typeof textReply> | undefined,
  ) =>
  (carrier: Carrier): Carrier =>
  async (request, signal) =>
    (await answer(request)) ?? carrier(request, signal);
const isCall = ({ method }: WireRequest): boolean => method === 'POST';
const calls =
  (...names: readonly string[]) =>
  (request: WireRequest) =>
    names.includes(String(sentIn(request).method));
const lost = (kind: 'refused' | 'reset') => Promise.reject(new CarrierFailure(kind, kind));

const judged = (
  between: (carrier: Carrier, clock: Clock) => Carrier,
  more: Partial<JudgedSettings> = {},
): Promise<Report> => judge({ profile: 'a2a-1.0', between, restarts: false, ...more });
const failed = ({ checks }: Report) => checks.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
const ids = ({ causes = [] }: Report) => causes.map(({ id }) => id);
const causeOf = ({ causes = [] }: Report, id: string) => {
  const found = causes.find((cause) => cause.id === id);
  if (found === undefined) throw new Error(`no cause ${id}, but ${causes.map((cause) => cause.id).join(', ')}`);
  return found;
};
/** The cause covers each check that names it: the check is inconclusive, or one of several that fail. */
function holdsTogether(report: Report): void {
  for (const cause of report.causes ?? []) {
    const named = report.checks.filter((check) => check.cause === cause.id);
    const failures = named.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    const others = named.filter(({ verdict }) => verdict !== 'fail');
    expect(cause.checks).toEqual(others.map(({ id }) => id));
    expect(others.every(({ verdict }) => verdict === 'inconclusive')).toBe(true);
    expect([...(cause.failures ?? [])].sort()).toEqual(failures.sort());
    expect(failures.length).not.toBe(1);
    expect(cause.exchanges.every((id) => report.exchanges.some((exchange) => exchange.id === id))).toBe(true);
  }
}

const messages = calls('SendMessage', 'SendStreamingMessage');

test.each<[string, string, string, Parameters<typeof but>[0]]>([
  [
    '401 everywhere',
    'credentials',
    'no call was accepted: HTTP 401',
    (request) => (isCall(request) ? textReply(401, 'no', [['www-authenticate', 'Bearer']]) : undefined),
  ],
  [
    '403 everywhere',
    'credentials',
    'no call was accepted: HTTP 403',
    (request) => (isCall(request) ? textReply(403, 'no') : undefined),
  ],
  [
    'an error of its own for want of credentials everywhere',
    'credentials',
    'no call was accepted: an authentication error: "Missing bearer token"',
    (request) =>
      isCall(request)
        ? Promise.resolve(errorReply(request, { code: -31401, message: 'Missing bearer token' }))
        : undefined,
  ],
  [
    '429 for ever',
    'overloaded',
    'the agent is overloaded or limits its callers',
    (request) => (isCall(request) ? textReply(429, 'later') : undefined),
  ],
  [
    '503 for ever',
    'overloaded',
    'the agent is overloaded or limits its callers',
    (request) => (isCall(request) ? textReply(503, 'later') : undefined),
  ],
  [
    '-32603 for each message',
    'no-message',
    'no message was accepted: -32603 Internal error',
    (request) =>
      messages(request) ? Promise.resolve(errorReply(request, { code: -32603, message: 'Internal error' })) : undefined,
  ],
  [
    'a redirect to another origin',
    'redirect',
    'the endpoint cannot be called: HTTP 307, at https://other.test/rpc instead; not followed (another origin)',
    (request) => (isCall(request) ? textReply(307, '', [['location', 'https://other.test/rpc']]) : undefined),
  ],
  [
    'a redirect that is fetched',
    'redirect',
    'the endpoint cannot be called: HTTP 303',
    (request) => (isCall(request) ? textReply(303, '', [['location', '/rpc']]) : undefined),
  ],
])(
  '%s is reported once and fails nothing',
  async (_, id, fact, answer) => {
    const report = await judged(but(answer));
    expect(failed(report)).toEqual([]);
    expect(ids(report)).toEqual([id]);
    expect(causeOf(report, id).fact).toContain(fact);
    expect(causeOf(report, id).advice).not.toBe('');
    expect(causeOf(report, id).curl).toMatch(/^curl /);
    // What needs no call is judged all the same.
    expect(causeOf(report, id).checks.length).toBeGreaterThan(100);
    expect(report.checks.filter((check) => check.verdict === 'inconclusive' && check.cause === undefined)).toEqual([]);
    holdsTogether(report);
  },
  60_000,
);

test.each([301, 302, 307, 308])(
  'an endpoint that redirects with %i is followed and fails nothing',
  async (status) => {
    const moved =
      (carrier: Carrier): Carrier =>
      async (request, signal) => {
        const url = new URL(request.url);
        if (url.pathname === '/rpc/') return carrier({ ...request, url: `${url.origin}/${url.search}` }, signal);
        return isCall(request) ? textReply(status, '', [['location', '/rpc/']]) : carrier(request, signal);
      };
    const report = await judged(moved);
    expect(failed(report)).toEqual([]);
    expect(ids(report)).toEqual(['redirect']);
    expect(causeOf(report, 'redirect')).toMatchObject({
      fact: `the endpoint redirects to http://agent.test/rpc/ (HTTP ${status})`,
      checks: [],
    });
    expect(report.target.endpoint).toBe('http://agent.test/rpc/');
  },
  60_000,
);

test.each([
  [-32601, 'Method not found'],
  [-32004, 'This operation is not supported'],
])(
  'an agent without CancelTask (%i) fails one check',
  async (code, message) => {
    const report = await judged(
      but((request) =>
        calls('CancelTask')(request)
          ? Promise.resolve(
              errorReply(request, { code, message, data: code === -32004 ? info('UNSUPPORTED_OPERATION') : [] }),
            )
          : undefined,
      ),
    );
    expect(failed(report)).toEqual(['task/cancel-implemented']);
    expect(ids(report)).toEqual(['operation:cancel']);
    expect(causeOf(report, 'operation:cancel').checks).toContain('task/cancel-terminal-code');
    holdsTogether(report);
  },
  60_000,
);

const info = (reason: string) => [
  { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'a2a-protocol.org' },
];

test('an agent that denies listing, though its card declares no security, fails nothing, and the report says so', async () => {
  const report = await judged(
    but((request) =>
      calls('ListTasks')(request)
        ? Promise.resolve(errorReply(request, { code: -31401, message: 'no', data: info('UNAUTHENTICATED') }))
        : undefined,
    ),
  );
  expect(failed(report)).toEqual([]);
  expect(ids(report)).toEqual(['credentials']);
  expect(causeOf(report, 'credentials').fact).toContain('ListTasks is denied');
  expect(causeOf(report, 'credentials').advice).toContain('the card declares no security');
}, 60_000);

test('an agent that dies in the middle fails nothing for its lost connections, and the last request is named', async () => {
  let count = 0;
  const report = await judged(but(() => (++count > 60 ? lost('refused') : undefined)));
  expect(failed(report)).toEqual([]);
  expect(ids(report)).toEqual(['died']);
  expect(causeOf(report, 'died').fact).toMatch(/^the agent died right after it answered x\d+ \(/);
  expect(causeOf(report, 'died').checks.length).toBeGreaterThan(50);
  // A few questions whether it comes back, and no more.
  expect(count).toBeLessThan(60 + 6);
  expect(report.gate.exitCode).toBe(4);
}, 60_000);

/** Every valid cancel kills the agent, which stays away for so long, ms. */
const dyingOfCancel =
  (awayMs: number) =>
  (carrier: Carrier, clock: Clock): Carrier => {
    let until = 0;
    return (request, signal) => {
      if (clock.now() < until) return lost('refused');
      if (!calls('CancelTask')(request)) return carrier(request, signal);
      if (typeof member(sentIn(request).params, 'id') !== 'string') return carrier(request, signal);
      until = clock.now() + awayMs;
      return lost('reset');
    };
  };

test('a cancel that kills the agent fails one check, which names it', async () => {
  const report = await judged(dyingOfCancel(Number.POSITIVE_INFINITY));
  expect(failed(report)).toHaveLength(1);
  expect(ids(report)).toEqual(['died']);
  expect(causeOf(report, 'died').fact).toMatch(/^the agent died of x\d+ \(CancelTask, sent for /);
  expect(causeOf(report, 'died').curl).toContain('CancelTask');
  holdsTogether(report);
}, 60_000);

test('an agent that comes back is judged on, and its death is one finding', async () => {
  const report = await judged(dyingOfCancel(900));
  expect(failed(report)).toHaveLength(1);
  expect(ids(report)).toEqual(['died']);
  expect(report.summary.must.pass).toBeGreaterThan(100);
  holdsTogether(report);
}, 60_000);

test('where several requests were under way, each is named', async () => {
  let count = 0;
  const all = new Set<WireRequest>();
  const crowded =
    (carrier: Carrier, clock: Clock): Carrier =>
    async (request, signal) => {
      if (count > 60) return lost('refused');
      all.add(request);
      if (isCall(request)) count++;
      await new Promise<void>((resolve) => void clock.after(20, resolve));
      all.delete(request);
      return count > 60 ? lost('reset') : carrier(request, signal);
    };
  const report = await judged(crowded, { concurrency: 8 });
  expect(failed(report).length).toBeLessThanOrEqual(1);
  expect(ids(report)).toEqual(['died']);
}, 60_000);

test('what to do shows no secret that a redirect names', async () => {
  const secret = 's3cret-token-of-a-caller';
  const leaking = but((request) =>
    isCall(request) ? textReply(307, '', [['location', `https://${secret}.test/rpc`]]) : undefined,
  );
  const report = await judged(leaking, { redactor: createRedactor([secret]) });
  expect(causeOf(report, 'redirect').advice).toMatch(/^--allow-origin https:/);
  const { exchanges: _, ...rest } = report;
  expect(JSON.stringify(rest)).not.toContain(secret);
});

const faultOf = (id: string) => faults.filter((fault) => fault.id === id).map(({ patch }) => patch);
const variantOf = (id: string) => variants.filter((variant) => variant.id === id).map(({ patch }) => patch);

test('tasks that do not move are one cause, and the run is not proven', async () => {
  const report = await judged((carrier) => carrier, { patches: variantOf('works-only-while-waited-for') });
  expect(failed(report)).toEqual([]);
  expect(causeOf(report, 'stalled').fact).toBe(
    'the task of a neutral prompt was submitted for 10 s and did not move; asked to wait, the agent does that work',
  );
  expect(report.gate.exitCode).toBe(4);
  expect(report.checks.find(({ id }) => id === 'life/completed-final')?.verdict).not.toBe('inconclusive');
  holdsTogether(report);
});

test('connections that end with one of their calls are one cause, and fail no check', async () => {
  let count = 0;
  const ended = new CarrierFailure('reset', `the connection was closed ${afterDrop}`);
  const isOne = calls('GetTask');
  const report = await judged(
    but((request) => (isOne(request) && ++count % 5 === 0 ? Promise.reject(ended) : undefined)),
  );
  expect(failed(report)).toEqual([]);
  expect(causeOf(report, 'connection-ended').fact).toMatch(
    /^the server ends a connection of HTTP\/2 when one call on it is dropped, which took x\d+ \(GetTask.*\) and \d+ other calls with it$/,
  );
  expect(ids(report).filter((id) => id.startsWith('dropped'))).toEqual([]);
  holdsTogether(report);
});

test('a cancel that is taken and changes nothing is one cause, and fails no check', async () => {
  const report = await judged((carrier) => carrier, { patches: variantOf('cancel-changes-nothing') });
  expect(failed(report)).toEqual([]);
  const { fact, checks } = causeOf(report, 'uncanceled');
  expect(fact).toBe('CancelTask is accepted and changes nothing: the task was never seen canceled');
  expect(checks).toEqual(expect.arrayContaining(['task/cancel-state', 'task/cancel-stays', 'task/cancel-again']));
  expect(report.gate.exitCode).toBe(0);
  holdsTogether(report);
});

test('a task that holds the answer is at its end, where those who wait get a message', async () => {
  const behaviours = { message: { text: 'tck-message-response' } };
  const patches = variantOf('answers-in-history-unless-waited-for');
  const report = await judged((carrier) => carrier, { patches, behaviours });
  expect(failed(report)).toEqual([]);
  expect(report.gate.exitCode).toBe(0);
});

test('no advice names a setting that is set', async () => {
  const behaviours = { failed: { text: 'Fail this.' } };
  const report = await judged((carrier) => carrier, { patches: variantOf('fails-by-standing-still'), behaviours });
  // Two tasks of this prompt did not move: it is one prompt.
  expect(causeOf(report, 'stalled').fact).toBe('the task of behaviours.failed was submitted for 10 s and did not move');
  expect(report.gate.exitCode).toBe(4);
  const reasons = report.checks.map(({ reason }) => reason);
  expect(reasons.filter((reason) => reason.includes('set behaviours.failed'))).toEqual([]);
  expect(reasons.join()).toContain('reword behaviours.failed');
});

const html = '<!doctype html><title>Welcome</title>';
const other = '{"status":"ok"}';
test.each<[string, string, number, string, string]>([
  ['a page for people', 'HTTP 200, text/html', 200, 'text/html', html],
  ['other JSON', 'HTTP 200, application/json', 200, 'application/json', other],
  ['the page of a server that breaks', 'HTTP 500, text/html', 500, 'text/html', '<h1>Internal Server Error</h1>'],
  ['the page of a router', 'HTTP 404, text/html', 404, 'text/html', '<h1>Not Found</h1>'],
])('%s in the place of each answer is one failure, and all of them count', async (_, fact, status, type, text) => {
  const report = await judged(
    but((request) =>
      isCall(request) ? Promise.resolve({ ...textReply(status, text), headers: [['content-type', type]] }) : undefined,
    ),
  );
  expect(ids(report)).toEqual(['answer']);
  const { failures = [], ...cause } = causeOf(report, 'answer');
  expect(cause.fact).toContain('no call gets an answer of JSON-RPC: each of ');
  expect(cause.fact).toContain(fact);
  expect(failures[0]).toBe('card/endpoint-answers');
  expect(failures.length).toBeGreaterThan(10);
  expect(failed(report).filter((id) => !failures.includes(id))).toEqual([]);
  expect(report.gate.reasons[0]).toContain('no call gets an answer of JSON-RPC');
  expect(report.gate.reasons[1]).toMatch(/^\d+ MUST checks failed, (all|\d+ of them) for one cause$/);
  holdsTogether(report);
});

test('pages that differ are reported each by itself', async () => {
  let count = 0;
  const page = () => textReply(500, `Error ${++count}`);
  const report = await judged(but((request) => (isCall(request) ? page() : undefined)));
  expect(failed(report).length).toBeGreaterThan(10);
  expect(ids(report).filter((id) => id.startsWith('answer'))).toEqual([]);
  expect(report.checks.filter(({ verdict, cause }) => verdict === 'fail' && cause !== undefined)).toEqual([]);
});

test('a page that some calls get is the cause of what it breaks, and of nothing else', async () => {
  const isLong = (request: WireRequest) => isCall(request) && JSON.stringify(sentIn(request)).includes('historyLength');
  const report = await judged(but((request) => (isLong(request) ? textReply(500, 'broken') : undefined)));
  const [cause] = (report.causes ?? []).filter(({ id }) => id.startsWith('answer:500:'));
  expect(cause?.fact).toMatch(/^\d+ valid calls \(.*\) got the same answer, which is none of JSON-RPC: HTTP 500/);
  expect(failed(report).filter((id) => cause?.failures?.includes(id) !== true)).toEqual([]);
  expect(report.gate.reasons[0]).toMatch(/^\d+ MUST checks failed, all for one cause$/);
  holdsTogether(report);
});

test.each(['a2a-1.0', 'a2a-1.0-rest', 'a2a-1.0-grpc'] as const)(
  'a version that the agent does not read is one failure: %s',
  async (profile) => {
    const report = await judge({ profile, patches: faultOf('ver-header-not-read'), restarts: false });
    const { failures = [] } = causeOf(report, 'version-unread');
    expect(failures[0]).toBe('version/unsupported-refused');
    expect(failures).toContain('version/missing-header');
    expect(failed(report)).toHaveLength(failures.length);
    expect(report.gate.reasons[0]).toMatch(/^\d+ MUST checks failed, all for one cause$/);
    holdsTogether(report);
  },
);

test('an agent that refuses some versions reads the version', async () => {
  const report = await judge({ profile: 'a2a-1.0', patches: faultOf('ver-missing-means-newest'), restarts: false });
  expect(ids(report)).toEqual([]);
});

test('an id that never comes back is reported once, and not of letters', async () => {
  const nameless: Patch = (inner) => ({
    envelope: (response, call) => inner.envelope({ ...response, id: null }, call),
  });
  const { checks } = await judge({ checks: ['rpc/string-ids', 'rpc/unicode-id'], patches: [nameless] });
  const lines = checks.map(({ id, verdict, reason }) => `${id} ${verdict}: ${reason}`);
  expect(lines).toContainEqual(expect.stringMatching(/^rpc\/string-ids fail: /));
  expect(lines).toContainEqual(
    expect.stringMatching(/^rpc\/unicode-id inconclusive: make the agent return the ids of calls/),
  );
});
