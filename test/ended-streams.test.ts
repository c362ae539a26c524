import { expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.js';
import { type Patch, variants } from '../src/reference/index.js';
import { bodyText } from '../src/wire/index.js';
import { judge } from './judged.js';

// Agents that end a stream while its task is at work.

const patchOf = (id: string): Patch => {
  const found = [...variants, ...faults].find((item) => item.id === id);
  if (found === undefined) throw new Error(`no agent ${id}`);
  return found.patch;
};

async function failed(profile: 'a2a-1.0' | 'a2a-0.3', patch: Patch): Promise<readonly string[]> {
  const { checks } = await judge({ profile, patches: [patchOf('streaming'), patch] });
  return checks.flatMap(({ id, level, verdict }) => (verdict === 'fail' ? `${level} ${id}` : []));
}

test.each(['a2a-1.0', 'a2a-0.3'] as const)('%s: where all streams end so, one check fails', async (profile) => {
  expect(await failed(profile, patchOf('stream-ends-at-work'))).toEqual(['must stream/state-matches-get']);
});

test('a final status ends a stream of 0.3 at any time, against the advice of the guide', async () => {
  expect(await failed('a2a-0.3', patchOf('stream-is-final-at-work'))).toEqual(['should stream/final-state']);
});

test('where long streams go on, each that ends at work fails', async () => {
  const shortOnly: Patch = (inner) => ({
    closes: (event, call) =>
      (event.type === 'status' &&
        event.status.state === 'working' &&
        !bodyText(call.request.body).includes('long-running')) ||
      inner.closes(event, call),
  });
  const found = await failed('a2a-1.0', shortOnly);
  expect(found).toContain('must stream/state-matches-get');
  expect(found).toContain('must stream/follow-up');
});
