import { expect, test } from 'vitest';
import { conforms, isOfProbe, isProbed, type Reading, type Target } from '../index.js';
import { probesIn } from './probes.js';

const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

interface Made {
  readonly at: number;
  readonly valid: boolean;
  readonly params: unknown;
  readonly result?: unknown;
}
const reading = ({ at, valid, params, result }: Made): Reading =>
  ({
    exchange: {
      startedAt: at,
      durationMs: 1,
      request: { url: 'http://a.test/', headers: [], body: bytes({ method: 'send', params }) },
    },
    operation: 'send',
    valid,
    outcome: result === undefined ? { kind: 'refusal' } : { kind: 'result', wire: result },
  }) as unknown as Reading;

const message = (messageId: string, more: object = {}) => ({ message: { messageId, parts: [], ...more } });
const task = (id: string) => ({ id, status: { state: 'completed' } });

const tape = [
  reading({ at: 1, valid: true, params: message('sound'), result: task('plain') }),
  reading({ at: 2, valid: false, params: message('joining', { taskId: 'joined' }) }),
  reading({ at: 3, valid: false, params: message('taken'), result: { task: task('made') } }),
];
const probes = probesIn(tape);
const seen = (at: number) => ({ ...reading({ at, valid: true, params: {} }), probes });

test('what broken requests named and became is theirs, from then on', () => {
  expect(['plain', 'joined', 'made'].map((id) => isProbed(seen(9), id))).toEqual([false, true, true]);
  expect(isProbed(seen(0), 'joined')).toBe(false);
});

test('a place in what they left is found at any depth, in listings and updates too', () => {
  const listing = { tasks: [task('plain'), { ...task('made'), artifacts: [{ parts: [{}] }] }] };
  expect(isOfProbe(seen(9), listing, '/tasks/1/artifacts/0/parts/0')).toBe(true);
  expect(isOfProbe(seen(9), listing, '/tasks/0/status')).toBe(false);
  expect(isOfProbe(seen(9), { statusUpdate: { taskId: 'joined', status: {} } }, '/statusUpdate/status')).toBe(true);
  expect(isOfProbe(seen(9), { history: [{ messageId: 'taken' }, { messageId: 'sound' }] }, '/history/0/parts')).toBe(
    true,
  );
  expect(isOfProbe(seen(9), { history: [{ messageId: 'taken' }, { messageId: 'sound' }] }, '/history/1/parts')).toBe(
    false,
  );
});

test('what a user wrote in a task that this run did not make is of another client', () => {
  const rawMessage = { role: 'user', messageId: 'x', parts: [{ url: null }] };
  const listed = (id: string) => ({
    tasks: [{ ...task(id), history: [rawMessage, { ...rawMessage, role: 'agent' }] }],
  });
  const judge = (id: string, path: string) => isOfProbe(seen(9), listed(id), path);
  expect(judge('of-yesterday', '/tasks/0/history/0/parts/0/url')).toBe(true);
  expect(judge('of-yesterday', '/tasks/0/history/1/parts/0/url')).toBe(false);
  expect(judge('of-yesterday', '/tasks/0/status')).toBe(false);
  expect(judge('plain', '/tasks/0/history/0/parts/0/url')).toBe(false);
});

test('a tape without a send does not know whose tasks they are', () => {
  const alone = { ...seen(9), probes: probesIn([reading({ at: 2, valid: false, params: message('joining') })]) };
  const document = { ...task('t'), history: [{ role: 'user', messageId: 'x', parts: [] }] };
  expect(isOfProbe(alone, document, '/history/0/parts')).toBe(false);
});

test('no law holds against an agent what a probe left in it', () => {
  const law = conforms('data/part-kind', 'data.part-kind', 'know each part', { otherwise: '' });
  const judge = (id: string) => {
    const value = { ...task(id), artifacts: [{ parts: [{ kind: 'hologram' }] }] };
    const finding = {
      rule: 'data.part-kind',
      path: '/artifacts/0/parts/0/kind',
      message: 'must be one of',
      seen: 'hologram',
    };
    const inspection = { findings: [finding], more: new Map(), visited: new Set(['data.part-kind']) };
    const answer = { ...seen(9), documents: [{ of: 'result', name: 'result of get', value, inspection }] };
    return law.judge(answer as unknown as Reading, {} as Target, []);
  };
  expect(judge('plain')).toContain('must be one of');
  expect(judge('made')).toBe('holds');
});
