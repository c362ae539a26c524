import { beforeAll, describe, expect, test } from 'vitest';
import { changedWithin, fieldNumber, joinedBytes, rawBytes, rawNumber, rawTag, wireTypes } from './bytes.js';
import { a2a03, a2a10 } from './index.js';
import { grpcCodec, loadGrpc } from './lazy.js';

beforeAll(loadGrpc);

const written = (message: string, json: unknown): Uint8Array => {
  const bytes = grpcCodec(a2a10).encode(message, json);
  if ('fault' in bytes) throw new Error(bytes.fault);
  return bytes;
};
const read = (message: string, bytes: Uint8Array) => grpcCodec(a2a10).decode(message, bytes);

describe('bytes without types', () => {
  test('a number, a text and a message are those of the codec', () => {
    const status = joinedBytes(rawNumber(1, 3), rawBytes(3, rawNumber(1, 1_700_000_000)));
    const task = joinedBytes(rawBytes(1, new TextEncoder().encode('t')), rawBytes(3, status));
    expect(read('Task', task)).toMatchObject({
      json: { id: 't', status: { state: 'TASK_STATE_COMPLETED', timestamp: '2023-11-14T22:13:20Z' } },
    });
  });

  test('a change inside a message keeps all else', () => {
    const request = written('SendMessageRequest', {
      tenant: 'x',
      message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'a' }, { text: 'b' }] },
    });
    const path = [fieldNumber(a2a10, 'SendMessageRequest', 'Message'), fieldNumber(a2a10, 'Message', 'Part')];
    const changed = changedWithin(request, path as number[], (encodedPart) =>
      joinedBytes(encodedPart, rawNumber(1000, 300)),
    );
    expect(read('SendMessageRequest', changed)).toMatchObject({
      json: { tenant: 'x', message: { messageId: 'm', parts: [{ text: 'a' }, { text: 'b' }] } },
      unknownFields: ['message.parts.0.#1000'],
    });
  });

  test('fields are found by their type in each version', () => {
    expect(fieldNumber(a2a10, 'SendMessageRequest', 'Message')).toBe(2);
    expect(fieldNumber(a2a03, 'SendMessageRequest', 'Message')).toBe(1);
    expect(fieldNumber(a2a03, 'Message', 'Part')).toBe(5);
    expect(fieldNumber(a2a10, 'GetTaskRequest', 'Timestamp')).toBeUndefined();
  });

  test('bytes that are cut short, or have an unknown wire type, are not a message', () => {
    const bytes = written('GetTaskRequest', { id: 't' });
    for (const more of [
      [...rawTag(1000, wireTypes.none)],
      [...rawTag(1000, wireTypes.varint), 0xff],
      [...rawTag(1000, wireTypes.bytes), 9],
    ])
      expect(read('GetTaskRequest', joinedBytes(bytes, Uint8Array.from(more)))).toHaveProperty('fault');
  });

  test.each([
    [rawNumber(2, 2_000_000_000), ['status.timestamp']],
    [rawNumber(1, 1_700_000_000_000), ['status.timestamp']],
    [rawNumber(1, 1_700_000_000), []],
  ])('times that are none are named, and left out: %s', (time, bad) => {
    const task = joinedBytes(
      written('Task', { id: 't' }),
      rawBytes(3, joinedBytes(rawNumber(1, 2), rawBytes(3, time))),
    );
    expect(read('Task', task)).toMatchObject({ json: { status: { state: 'TASK_STATE_WORKING' } }, badTimes: bad });
  });
});
