import { expect, test } from 'vitest';
import { faults, type Patch } from '../src/reference/index.js';
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
  if (found === undefined) throw new Error(`there is no fault ${wanted}`);
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
