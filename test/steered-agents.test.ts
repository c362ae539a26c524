import { expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { RpcFailure } from '../src/reference/failure.js';
import { type Patch, variants } from '../src/reference/index.js';
import { judge } from './judged.js';

// An agent that knows no prefix of any test corpus: it takes its time for the words of its user only, and is otherwise
// done at once.

type Plot = ReturnType<ReturnType<Patch>['script'] & {}>;

const slow: Plot = {
  reply: 'task',
  steps: [
    { afterMs: 5, act: { type: 'status', state: 'working', say: 'On it.' } },
    { afterMs: 3000, act: { type: 'status', state: 'completed', say: 'Ten.' } },
  ],
};
const quick: Plot = {
  reply: 'task',
  steps: [{ afterMs: 5, act: { type: 'status', state: 'completed', say: 'Four.' } }],
};
const ownWords: Patch = () => ({
  script: ({ parts: [first] }) => (first?.kind === 'text' && first.text.startsWith('Count') ? slow : quick),
});
const behaviours = { completed: { text: 'What is 2 + 2?' }, 'long-running': { text: 'Count to ten, slowly.' } };
const patchOf = (wanted: string): Patch => {
  const found = faults.find(({ id }) => id === wanted);
  if (found === undefined) throw new Error(`unknown fault ${wanted}`);
  return found.patch;
};

test.each([
  ['send-waits-when-told-not-to', 'message/non-blocking'],
  ['cancel-completes-with-the-work', 'task/cancel-stays'],
  ['get-unknown-while-at-work', 'task/get-known-at-work'],
  ['cancel-unknown-while-at-work', 'task/cancel-knows'],
])('%s is seen at an agent that is steered by its user', async (fault, check) => {
  for (const profile of ['a2a-0.3', 'a2a-1.0'] as const) {
    const asked = { profile, checks: [check], behaviours };
    const [right] = (await judge({ ...asked, patches: [ownWords] })).checks;
    expect([right?.verdict, right?.reason]).toEqual(['pass', '']);
    const [wrong] = (await judge({ ...asked, patches: [ownWords, patchOf(fault)] })).checks;
    expect(wrong?.verdict, wrong?.reason).toBe('fail');
  }
});

/** It refuses all words but those of its user, in answers too. */
const onlyOwnWords: Patch = () => ({
  script: ({ parts: [first] }) => {
    const said = first?.kind === 'text' ? first.text : '';
    if (said.startsWith('Book'))
      return { reply: 'task', steps: [{ afterMs: 5, act: { type: 'status', state: 'input-required', say: 'When?' } }] };
    if (said.startsWith('What')) return quick;
    throw new RpcFailure('InvalidParams', 'unknown words');
  },
});

test.each([
  ['a2a-1.0', ['message/input-required-continues', 'message/continues-task']],
  ['a2a-1.0', ['push/notified', 'push/inline-notified', 'push/hanging-webhook-answer', 'push/inline']],
  ['a2a-1.0', ['stream/non-blocking', 'stream/same-params']],
  ['a2a-0.3', ['message/input-required-continues', 'push/notified', 'push/token-sent', 'stream/same-params']],
  ['openclaw', ['message/input-required-continues', 'dialect/history-of-task']],
  ['terminal-bench', ['dialect/follow-up']],
] as const)('%s: %j hold at an agent that takes the words of its user only', async (profile, checks) => {
  const able = variants.filter(
    ({ id, profiles }) => id === 'streaming-and-push' && profiles?.includes(profile) !== false,
  );
  const own = { completed: behaviours.completed, 'input-required': { text: 'Book a flight.' } };
  const patches = [...able.map(({ patch }) => patch), onlyOwnWords];
  const report = await judge({ profile, checks, behaviours: own, patches });
  const judged = report.checks.filter(({ verdict }) => verdict !== 'not-applicable');
  expect(judged.map(({ id, verdict, reason }) => [id, verdict, reason])).toEqual(
    judged.map(({ id }) => [id, 'pass', '']),
  );
  expect(judged.length).toBeGreaterThan(0);
});
