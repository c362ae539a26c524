import { describe, expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { type Patch, RpcFailure, variants } from '../src/reference/index.js';
import type { Report } from '../src/report/index.js';
import { judge } from './judged.js';

// Agents that take less of a webhook than they should, or answer late: one finding each, and the rest is judged.

const pushing = variants.find(({ id }) => id === 'push')?.patch;
const faulty = (id: string): Patch => {
  const found = faults.find((fault) => fault.id === id);
  if (found === undefined) throw new Error(`no fault ${id}`);
  return found.patch;
};
const judged = (profile: 'a2a-0.3' | 'a2a-1.0', ...patches: readonly Patch[]): Promise<Report> =>
  judge({ profile, checks: ['push/*'], patches: [...(pushing === undefined ? [] : [pushing]), ...patches] });
const others = ({ checks }: Report) =>
  checks
    .filter(({ verdict }) => verdict !== 'pass' && verdict !== 'not-applicable')
    .map(({ id, verdict }) => `${verdict} ${id}`)
    .filter((text) => !open.includes(text));
/** No run has a second caller here, and the agent does not try again. */
const open: readonly string[] = ['inconclusive push/foreign-refused', 'inconclusive push/retried'];

describe.each(['a2a-0.3', 'a2a-1.0'] as const)('%s', (profile) => {
  test.each([
    // No config with another scheme is there then either.
    ['push-authentication-refused', ['fail push/authentication-accepted', 'inconclusive push/basic-credentials-sent']],
    // The config whose scheme is in lower case comes with a message (1.0).
    [
      'push-inline-authentication-refused',
      [
        'fail push/inline-authentication-accepted',
        ...(profile === 'a2a-1.0' ? ['inconclusive push/scheme-any-case'] : []),
      ],
    ],
  ])('%s is reported once, and all else is judged without it', async (fault, found) => {
    expect(others(await judged(profile, faulty(fault)))).toEqual(found);
  });

  test('a message that is never answered, and whose webhook is called, has taken the webhook', async () => {
    const silent: Patch = (inner) => ({
      async execute(command, call) {
        const outcome = await inner.execute(command, call);
        const { push } = command.op === 'send' ? (command.params.configuration ?? {}) : {};
        return push === undefined ? outcome : new Promise(() => undefined);
      },
    });
    const report = await judged(profile, silent);
    const verdictOf = (id: string) => report.checks.find((check) => check.id === id)?.verdict;
    for (const id of ['push/names-task', 'push/inline-notified', 'push/notified-completed', 'push/credentials-sent'])
      expect([id, verdictOf(id)]).toEqual([id, 'pass']);
    const said = report.checks.map(({ reason }) => reason).join('\n');
    expect(said).not.toContain('may call no such address');
  });
});

test('what was measured is said: a webhook that hangs holds the answer up, and not the task', async () => {
  const report = await judged('a2a-1.0', faulty('push-answer-waits-for-webhook'));
  expect(others(report)).toEqual(['fail push/hanging-webhook-answer']);
  const reason = report.checks.find(({ id }) => id === 'push/hanging-webhook-answer')?.reason;
  expect(reason).toMatch(
    /^the answer came after 0\.\d s, and the webhook was waited for, for 0\.\d s; one .* took 0\.1 s; 3 messages that were sent after it were answered before it$/,
  );
});

test('a second webhook that was not taken is not missed', async () => {
  const once: Patch = (inner) => ({
    execute(command, call) {
      const isSecond = command.op === 'pushSet' && command.params.config.url.endsWith('/second');
      return inner.execute(isSecond ? { op: 'get', params: { id: 'nobody' } } : command, call);
    },
  });
  const report = await judged('a2a-0.3', once);
  expect(report.checks.find(({ id }) => id === 'push/notified')).toMatchObject({ verdict: 'inconclusive' });
});

test('an error that comes for each task says nothing of a task that is unknown', async () => {
  const refusing: Patch = (inner) => ({
    async execute(command, call) {
      if (command.op === 'pushSet') throw new RpcFailure('InternalError');
      return inner.execute(command, call);
    },
  });
  const { checks } = await judged('a2a-1.0', refusing);
  const found = checks.find(({ id }) => id === 'push/unknown-task-code');
  expect(found?.verdict).toBe('inconclusive');
  expect(found?.reason).toMatch(/^make the agent accept configs for a task that exists: /);
});
