import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createInbox } from './inbox.js';

const mib = 1 << 20;
const sent = (bytes: number): PassThrough => {
  const stream = new PassThrough({ highWaterMark: 4 * mib });
  stream.end(Buffer.alloc(bytes));
  return stream;
};

test('a body is read whole, and one that is too long to one byte more', async () => {
  const inbox = createInbox(mib);
  expect((await inbox.read(sent(1000)))?.body.length).toBe(1000);
  expect((await inbox.read(sent(mib)))?.body.length).toBe(mib);
  expect((await inbox.read(sent(3 * mib)))?.body.length).toBe(mib + 1);
});

test('bodies that are not yet answered count together, and what is released does not', async () => {
  const inbox = createInbox(mib);
  const held = await Promise.all(Array.from({ length: 40 }, () => inbox.read(sent(mib))));
  expect(held.filter((item) => item !== undefined)).toHaveLength(32);
  for (const item of held) item?.release();
  expect((await inbox.read(sent(mib)))?.body.length).toBe(mib);
});

test('a sender that breaks off takes no room', async () => {
  const inbox = createInbox(mib);
  for (let count = 0; count < 64; count++) {
    const stream = new PassThrough({ highWaterMark: 4 * mib });
    const read = inbox.read(stream);
    stream.write(Buffer.alloc(mib / 2), () => stream.destroy(new Error('gone')));
    await expect(read).rejects.toThrow('gone');
  }
  expect((await inbox.read(sent(mib)))?.body.length).toBe(mib);
});
