import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { dialect } from '../../../../test/emitted-scripts.js';
import type { Sent, Trace } from '../../execute/trace.js';
import type { Symptom } from '../../oracles/oracle.js';
import type { Attempt } from '../../schedule/campaign-settings.js';
import { scriptOf } from './script.js';
import { signsOf } from './signs.js';

// A case of three steps: a task is begun, waited for in two looks, and read.

const answer = (at: number, state: string, look = 0): Sent => {
  const id = `f0000000${at}0${look}`;
  const body = `{"jsonrpc":"2.0","id":"${id}","result":{"id":"task-1","status":{"state":"${state}"}}}`;
  const order = 10 * at + 2 * look;
  return {
    step: { step: 'call', operation: at === 0 ? 'send' : 'get' },
    place: at === 1 ? [at, look] : [at],
    body: Buffer.from(`{"id":"${id}","params":{"id":"task-1"}}`),
    demand: 'valid',
    exchange: {
      id,
      call: { rpcId: id },
      request: { method: 'POST', url: 'http://agent.test/', headers: [], body: Buffer.from(`{"id":"${id}"}`) },
      durationMs: 1,
      response: { status: 200, headers: [['content-type', 'application/json']], body: Buffer.from(body) },
    },
    sentAt: order,
    endedAt: order + 1,
  } as unknown as Sent;
};
const all = [answer(0, 'submitted'), answer(1, 'working'), answer(1, 'completed', 1), answer(2, 'completed')] as const;
const trace = {
  case: { dialect: 'a2a-0.3', steps: [{ step: 'call' }, { step: 'wait', for: 'a' }, { step: 'call' }] },
  sent: all,
  begun: new Map(),
} as unknown as Trace;

const signs = (symptom: Partial<Symptom>, of: Trace = trace) => {
  const whole = { title: '', detail: '', keys: [], ...symptom } as Symptom;
  const attempt: Attempt = { trace: of, symptoms: [whole] };
  return signsOf(whole, [attempt], (one) => one);
};

describe('what all answers have in common', () => {
  const moves = { oracle: 'life-cycle', bucket: 'life-cycle/submitted-again' };

  test('tells a symptom that one of them shows', () => {
    expect(signs({ ...moves, sent: all[3] }).map(({ kind }) => kind)).toEqual(['like', 'like', 'like']);
  });

  test('tells none that only a look before the last one of a wait showed', () => {
    expect(signs({ ...moves, sent: all[1] })).toEqual([]);
  });

  test('tells none that only a probe of an oracle showed', () => {
    const refused = { oracle: 'unchanged', bucket: 'unchanged/history refused get valid' };
    expect(signs({ ...refused, sent: answer(2, 'completed'), case: trace.case })).toEqual([]);
    expect(signs({ ...refused, case: trace.case })).toEqual([]);
  });

  test('tells no change that only a look before the last one of a wait showed', () => {
    const refused = { oracle: 'unchanged', bucket: 'unchanged/history refused send valid' };
    expect(signs({ ...refused, sent: all[0] })).toEqual([]);
    const settled: Trace = { ...trace, sent: [all[0], all[2], all[3]] };
    expect(signs({ ...refused, sent: all[0] }, settled)).toHaveLength(3);
  });
});

describe('what one answer shows', () => {
  test('is looked for among all looks of a wait, under the id that the script sends', () => {
    const [sign] = signs({ oracle: 'law', bucket: 'law/data/task-status get', sent: all[1] });
    expect(sign).toMatchObject({ kind: 'polled', place: '2' });
    const { pattern } = sign as { readonly pattern: string };
    expect(pattern).toContain('working');
    expect(pattern).toContain('f0000000101');
  });

  test('is the last one of a wait as it was', () => {
    const [sign] = signs({ oracle: 'law', bucket: 'law/data/task-status get', sent: all[2] });
    expect(sign).toMatchObject({ kind: 'like', place: '2', status: 200 });
  });
});

test('a task that has ended and is open in a look of a wait is a relation', () => {
  const [, , ended, read] = all;
  const sent = [all[0], { ...ended, sentAt: 2, endedAt: 3 }, { ...all[1], place: [1, 1] as const }, read];
  const found = signs(
    { oracle: 'law', bucket: 'law/task/legal-moves get', sent: sent[2]! },
    { ...trace, sent: [...sent.slice(0, 3), { ...ended, place: [1, 2], sentAt: 14, endedAt: 15 }, read] },
  );
  expect(found).toEqual([{ kind: 'reopened', task: 'task-1', places: ['1', '2', '3'] }]);
});

test('a script that has no sign says so, shows all looks, and claims neither', () => {
  const symptom = { oracle: 'life-cycle', bucket: 'life-cycle/submitted-again', title: 't', detail: 'd', keys: [] };
  const whole: Symptom = { ...symptom, sent: all[1] };
  const script = scriptOf(
    { case: trace.case, symptom: whole, times: 1, of: 1, shown: [{ trace, symptoms: [whole] }] },
    {
      dialect,
      id: 'f-1',
      timeoutMs: 1000,
      sentences: [],
      origin: 'a test',
      endpoint: 'http://agent.test/',
      callers: { credentials: [] },
      redact: (one) => one,
    },
  );
  expect(script).toContain('exit code 2: no agent answers, 3: read whether it shows.');
  expect(script).toMatch(/\nsteps\nreport\necho .*read the answers.*\nexit 3\n$/);
  expect(script).toContain('flat 2 >>"$dir/2.polls"');
  expect(script).not.toMatch(/exit [01]\n|shows\b.*\{/);
  expect(spawnSync('sh', ['-n'], { input: script }).status).toBe(0);
});
