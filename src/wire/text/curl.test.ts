import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byDay } from '../../../test/property-runs.js';
import { curlOf, type Header, type WireRequest } from '../index.js';

/** What `sh` makes of the line: arguments and standard input of a stub in the place of curl. */
function understood(line: string): { readonly args: readonly string[]; readonly input: Buffer } {
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; printf '\\0\\0'; cat; }\n${line}\n`;
  const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', script], { input: '' });
  expect(String(stderr)).toBe('');
  expect(status).toBe(0);
  const end = stdout.indexOf('\0\0\0') + 1;
  return {
    args: stdout
      .subarray(0, end - 1)
      .toString('utf8')
      .split('\0'),
    input: stdout.subarray(end + 2),
  };
}

const post = (body: Uint8Array, headers: readonly Header[] = []): WireRequest => ({
  method: 'POST',
  url: 'http://agent.test/rpc',
  headers: [['content-type', 'application/json'], ...headers],
  body,
});

const bodyOf = ({ args, input }: ReturnType<typeof understood>): Buffer => {
  const at = args.indexOf('--data-raw');
  if (at >= 0) return Buffer.from(args[at + 1] ?? '');
  expect(args.slice(args.indexOf('--data-binary'))[1]).toBe('@-');
  return input;
};

const hostile = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom(
      "'",
      '"',
      '`',
      '$(touch /tmp/owned)',
      '$' + '{HOME}',
      '\\',
      '\\n',
      '\n',
      '\r',
      '%s',
      '%',
      '!',
      '@',
      '-',
      '*',
      ';',
      '&',
      '|',
      ' ',
      '\u001b[2J',
      '\u202e',
      'ä',
      '🎉',
    ),
    minLength: 1,
    maxLength: 12,
  }),
);

test('sh gives curl exactly the body, whatever it holds', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        hostile.map((text) => Buffer.from(text)),
        fc.uint8Array({ minLength: 1 }),
      ),
      (body) => {
        const line = curlOf({ request: post(body) });
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        expect(bodyOf(understood(line))).toEqual(Buffer.from(body));
      },
    ),
    byDay(30),
  );
});

test('sh gives curl exactly the headers, method and URL', () => {
  // No argument may hold NUL, and no header a line feed.
  const value = hostile.map((text) => text.replace(/[\0\r\n]/g, '') || '-');
  fc.assert(
    fc.property(value, value, value, (first, second, path) => {
      const headers: readonly Header[] = [
        ['X-First', first],
        ['x-second', second],
        ['x-empty', ''],
      ];
      const url = `http://agent.test/${path}`;
      const { args } = understood(curlOf({ request: { method: 'DELETE', url, headers } }));
      expect(args.slice(0, 5)).toEqual(['-sS', '-i', '-X', 'DELETE', '-H']);
      expect(args).toEqual(expect.arrayContaining([`X-First: ${first}`, `x-second: ${second}`, 'x-empty;']));
      expect(args.at(-1)).toBe(url);
    }),
    byDay(20),
  );
});

describe('a line holds only what is needed', () => {
  test.each<[line: string, request: WireRequest]>([
    [
      'curl -sS -i http://agent.test/',
      {
        method: 'GET',
        url: 'http://agent.test/',
        headers: [
          ['Host', 'agent.test'],
          ['Connection', 'close'],
        ],
      },
    ],
    [
      'curl -sS --head http://agent.test/'.replace('-sS', '-sS -i'),
      { method: 'HEAD', url: 'http://agent.test/', headers: [] },
    ],
    [
      `curl -sS -i -H 'content-type: application/json' --data-raw '{"id":1}' http://agent.test/rpc`,
      post(Buffer.from('{"id":1}'), [['Content-Length', '8']]),
    ],
    [
      `printf 'a\\012%%\\047' | curl -sS -i -H 'content-type: application/json' --data-binary @- http://agent.test/rpc`,
      post(Buffer.from("a\n%'")),
    ],
    [
      `curl -sS -i -X PUT -H Content-Type: --globoff --path-as-is --data-raw x 'http://agent.test/a/../{b}'`,
      { method: 'PUT', url: 'http://agent.test/a/../{b}', headers: [], body: Buffer.from('x') },
    ],
    [
      "printf 'GET / HTTP/9.9\\015\\012\\015\\012' | nc 127.0.0.1 8080",
      { method: 'RAW', url: 'http://127.0.0.1:8080/', headers: [], body: Buffer.from('GET / HTTP/9.9\r\n\r\n') },
    ],
    [
      'printf x | openssl s_client -quiet -connect agent.test:443'.replace(' x ', " 'x' "),
      { method: 'RAW', url: 'https://agent.test/', headers: [], body: Buffer.from('x') },
    ],
  ])('%s', (line, request) => {
    expect(curlOf({ request })).toBe(line);
  });
});
