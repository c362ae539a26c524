import { expect, test } from 'vitest';
import { onSentTask, set } from '../src/reference/edits.js';
import { type Patch, together } from '../src/reference/index.js';
import { able } from '../src/reference/variants/declaring.js';
import { judge } from './judged.js';

const tracing = 'https://e.test/tracing';
const spans = `${tracing}/spans`;

/** Tasks carry metadata of this URI where the extension is active, or always. */
const telling =
  (uri: string, isAlways: boolean): Patch =>
  (inner, world, whole) =>
    onSentTask((task, { request }) =>
      isAlways || inner.activated(request).includes(uri) ? set(task, 'metadata', { [uri]: { span: 'a1' } }) : task,
    )(inner, world, whole);

test.each([
  ['is active', spans, false, false],
  ['nobody asked for', `${tracing}/other`, true, true],
])('metadata whose key begins with the URI of another extension, and that %s', async (_, uri, isAlways, fails) => {
  const extensions = [
    { uri: tracing, required: false },
    { uri: spans, required: true },
  ];
  const { checks } = await judge({
    profile: 'a2a-1.0',
    checks: ['extension/inactive-by-default', 'extension/unknown-ignored'],
    patches: [together(able({ extensions }), telling(uri, isAlways))],
  });
  const verdict = checks.find(({ id }) => id === 'extension/inactive-by-default')?.verdict;

  // Messages without the required extension are refused, so the kit asks for it in each of them.
  expect(verdict).toBe(fails ? 'fail' : 'pass');
});
