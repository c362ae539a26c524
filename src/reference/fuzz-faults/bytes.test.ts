import { expect, test } from 'vitest';
import { byteFaults } from './bytes.js';
import { contrast, type Meeting, type Scene } from './meeting.js';

const json = 'application/json';
const text = (id: string): string => `{"jsonrpc":"2.0","id":"r1","method":"tasks/get","params":{"id":"${id}"}}`;
const posting =
  (body: string | Uint8Array, type = json): Scene =>
  async ({ post }) =>
    void (await post(body, [['content-type', type]]));
const nested = (depth: number): string => text('x').replace('"x"', `${'['.repeat(depth)}${']'.repeat(depth)}`);
const get = ({ get: read }: Meeting) => read('x');

const scenes: Readonly<Record<string, Scene>> = {
  'fuzz-nesting-resets': posting(nested(500)),
  'fuzz-nesting-kills': async (meeting) => {
    await posting(nested(2100))(meeting);
    await get(meeting);
  },
  'fuzz-nul-crashes': posting(text('a\\u0000b')),
  'fuzz-lone-surrogate-crashes': posting(text('a\\ud800b')),
  'fuzz-proto-member-crashes': posting(text('x').replace('{"id"', '{"__proto__":{},"id"')),
  'fuzz-constructor-member-leaks': posting(text('x').replace('{"id"', '{"constructor":{},"id"')),
  'fuzz-bom-crashes': posting(`\u{feff}${text('x')}`),
  'fuzz-duplicate-members-crash': posting(text('x').replace('{"id"', '{"id":"a","id"')),
  'fuzz-invalid-utf8-crashes': posting(Buffer.concat([Buffer.from(text('x').slice(0, -3)), Buffer.from([0xff, 0xfe])])),
  'fuzz-trailing-garbage-empties': posting(`${text('x')} and more`),
  'fuzz-truncated-json-hangs': posting(text('x').slice(0, -12)),
  'fuzz-huge-number-crashes': posting(text('x').replace('"r1"', '1e400')),
  'fuzz-content-type-crashes': posting(text('x'), 'application/json; charset=utf-16'),
  'fuzz-foreign-content-type-crashes': posting(text('x'), 'text/plain'),
  'fuzz-long-header-resets': async ({ post }) =>
    void (await post(text('x'), [
      ['content-type', json],
      ['x-long', 'a'.repeat(5000)],
    ])),
  'fuzz-batch-crashes': posting(`[${text('x')},${text('y')}]`),
  'fuzz-empty-batch-hangs': posting('[]'),
  'fuzz-notification-crashes': posting(text('x').replace('"id":"r1",', '')),
  'fuzz-cost-cubic-in-nesting': posting(nested(60)),
  'fuzz-nesting-leaks': posting(nested(1100)),
};

test('a scene for each', () => expect(Object.keys(scenes)).toEqual(byteFaults.map(({ id }) => id)));

test.each(byteFaults)('$id shows', async (fault) => {
  const { clean, faulty } = await contrast(fault, scenes[fault.id] as Scene);
  expect(faulty).not.toEqual(clean);
});
