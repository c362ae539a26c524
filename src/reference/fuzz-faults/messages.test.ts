import { expect, test } from 'vitest';
import { framed, framesIn, joinedBytes, type NativeRequest, nestedStruct, rawBytes } from '../../binding/index.js';
import { contrast, type Scene } from './meeting.js';
import { messageFaults } from './messages.js';

const hex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));
const messageOf = ({ body = new Uint8Array(0) }: NativeRequest): Uint8Array =>
  framesIn(body).frames[0]?.data ?? new Uint8Array(0);
type Change = (native: NativeRequest) => NativeRequest;
const withMessage =
  (
    change: (message: Uint8Array) => Uint8Array,
    prefix: { readonly flag?: number; readonly length?: number } = {},
  ): Change =>
  (native) => ({ ...native, body: framed(change(messageOf(native)), prefix) });
const same = (message: Uint8Array): Uint8Array => message;
const ending = (text: string): Change => withMessage((message) => joinedBytes(message, hex(text)));
const withHead =
  (name: string, value: string | undefined): Change =>
  ({ headers = [], ...native }) => ({
    ...native,
    headers: [...headers.filter(([found]) => found !== name), ...(value === undefined ? [] : [[name, value] as const])],
  });
const read =
  (change: Change): Scene =>
  async ({ sendMessage, get }) => {
    await sendMessage('get', { id: 'a' }, change);
    await get('b');
  };

const sent =
  (bytes: string): Scene =>
  async ({ sendMessage }) =>
    void (await sendMessage(
      'send',
      {},
      withMessage(() => hex(bytes)),
    ));

const scenes: Readonly<Record<string, Scene>> = {
  'fuzz-grpc-cut-number-kills': read(ending('c03eff')),
  'fuzz-grpc-length-past-end-resets': read(ending('c23e7f')),
  'fuzz-grpc-wire-type-leaks': read(ending('c73e')),
  'fuzz-grpc-group-debug-info-leaks': read(withMessage(() => hex('c43e'))),
  'fuzz-grpc-bad-utf8-crashes': read(withMessage((message) => joinedBytes(message, rawBytes(1, hex('ff'))))),
  'fuzz-grpc-deep-struct-hangs': async ({ sendMessage }) =>
    void (await sendMessage(
      'send',
      {},
      withMessage((message) => joinedBytes(message, rawBytes(4, nestedStruct(40, 'list')))),
    )),
  'fuzz-grpc-many-fields-hang': read(ending('c03e01'.repeat(1001))),
  'fuzz-grpc-large-field-number-crashes': read(ending('f8ffffff0f01')),
  'fuzz-grpc-compressed-hangs': read(withMessage(same, { flag: 1 })),
  'fuzz-grpc-misframed-is-page': read(withMessage(same, { length: 100 })),
  'fuzz-grpc-second-message-hangs': read((native) => ({
    ...native,
    body: joinedBytes(native.body ?? new Uint8Array(0), native.body ?? new Uint8Array(0)),
  })),
  'fuzz-grpc-no-message-crashes': read(({ body: _, ...native }) => native),
  'fuzz-grpc-bad-base64-crashes': read(withHead('tck-bin', '!!!')),
  'fuzz-grpc-bad-timeout-leaks': read(withHead('grpc-timeout', '-1S')),
  'fuzz-grpc-no-te-hangs': read(withHead('te', undefined)),
  'fuzz-grpc-other-codec-leaks': read((native) => ({ ...native, contentType: 'application/grpc+json' })),
  'fuzz-grpc-unknown-method-kills': read((native) => ({ ...native, url: `${native.url}x` })),
  'fuzz-grpc-reset-ends-tasks': async ({ send, sendMessage, get, wait }) => {
    const { result } = await send('tck-input-required');
    await wait(50);
    await sendMessage('get', { id: 'a' }, (native) => ({ ...native, manner: { resets: 1 } }));
    await get(result.task.id);
  },
  'fuzz-grpc-small-window-hangs': read((native) => ({ ...native, manner: { window: 1 } })),
  'fuzz-grpc-pieces-crash': read((native) => ({ ...native, manner: { pieces: 1 } })),
  'fuzz-grpc-huge-id-hangs': read(withMessage(() => rawBytes(2, new Uint8Array(10_001).fill(97)))),
  'fuzz-grpc-deep-struct-leaks': async ({ sendMessage }) =>
    void (await sendMessage(
      'send',
      {},
      withMessage((message) => joinedBytes(message, rawBytes(4, nestedStruct(40, 'list')))),
    )),
  'fuzz-grpc-null-in-struct-crashes': read(ending('12020800')),
  'fuzz-grpc-unknown-role-is-internal': sent('12022063'),
  'fuzz-grpc-two-contents-crash': sent('12082a060a01611a0162'),
  'fuzz-grpc-field-twice-crashes': read(ending('120162')),
};

test('a scene for each', () => expect(Object.keys(scenes)).toEqual(messageFaults.map(({ id }) => id)));

test.each(messageFaults)('$id shows', async (fault) => {
  const { clean, faulty } = await contrast(fault, scenes[fault.id] as Scene);
  expect(faulty).not.toEqual(clean);
});
