import { describe, expect, test } from 'vitest';
import type { Client } from '../../client/index.js';
import { eachPair, type Pair, type Side } from './peers.js';

const side = (title: string): Side => ({ client: {} as Client, title });
const [own, second, third] = [side('JSON-RPC'), side('HTTP+JSON'), side('GRPC')];
const judged = (relation: (pair: Pair) => string | undefined) =>
  eachPair({ own, peers: [second, third], silent: undefined }, relation);

const among =
  (odd: Side, reason: string) =>
  (pair: Pair): string | undefined =>
    [pair.own, pair.peer].includes(odd) ? reason : undefined;

describe('of three interfaces', () => {
  test('the one that deviates stands before the reason', async () => {
    expect(await judged(among(second, 'a is 1, and 2'))).toBe(
      'HTTP+JSON deviates from JSON-RPC and GRPC: a is 1, and 2',
    );
    expect(await judged(among(own, 'a is 1, and 2'))).toBe('JSON-RPC deviates from HTTP+JSON and GRPC: a is 1, and 2');
    const open = 'JSON-RPC or HTTP+JSON changes it: a is 1, and 2';
    expect(await judged(among(second, open))).toBe(`HTTP+JSON deviates from JSON-RPC and GRPC: ${open}`);
  });

  test('none is named where no one deviates alone', async () => {
    expect(await judged(() => 'a is 1, and 2')).toBe('a is 1, and 2');
  });

  test.each([
    'a cancel is carried out over JSON-RPC, and over HTTP+JSON it gets an error; JSON-RPC must refuse it too',
    'a read gets this over JSON-RPC, and that over HTTP+JSON; TaskNotFound is right, so JSON-RPC is wrong',
    'JSON-RPC does not keep it as it was sent: a is 1, and 2',
    'HTTP+JSON does not show it as it was sent: a is 1, and 2',
    'pushList works over HTTP+JSON, and JSON-RPC lacks it: MethodNotFound',
  ])('a reason that says which one is wrong stays unchanged: %s', async (reason) => {
    expect(await judged(among(second, reason))).toBe(reason);
    expect(await judged(among(own, reason))).toBe(reason);
  });
});
