import { expect, test } from 'vitest';
import { isInnerAddress, isLoopback } from './index.js';

const hostOf = (host: string): string => new URL(`http://${host}/`).hostname;

test.each([
  'localhost',
  'LOCALHOST',
  'localhost.',
  'agent.localhost',
  'a.b.localhost.',
  '127.0.0.1',
  '127.255.255.254',
  '127.1',
  '0x7f000001',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7fff:fffe]',
])('%s is the machine itself', (host) => {
  expect(isLoopback(hostOf(host))).toBe(true);
});

test.each([
  'example.com',
  'localhost.example.com',
  'notlocalhost',
  '127.0.0.1.example.com',
  '127.example.com',
  '126.255.255.255',
  '128.0.0.1',
  '0.0.0.0',
  '10.0.0.1',
  '[::]',
  '[::2]',
  '[fe80::1]',
  '[::ffff:128.0.0.1]',
])('%s is not', (host) => {
  expect(isLoopback(hostOf(host))).toBe(false);
});

test('what is the machine itself is an inner address, where it is not a name', () => {
  expect(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'localhost'].map((host) => isInnerAddress(hostOf(host)))).toEqual(
    [true, true, true, undefined],
  );
});
