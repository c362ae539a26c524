import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { byDay } from '../../../test/property-runs.js';
import { type Header, powershellOf, type WireRequest } from '../index.js';

// No PowerShell runs here. What a line uses of its language is little, and is read below as its documents say: single quotes,
// of which it knows five, double quotes around a variable, and calls of .NET that write a file.

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-powershell-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const quoted = String.raw`['\u2018-\u201b]((?:[^'\u2018-\u201b]|['\u2018-\u201b]{2})*)['\u2018-\u201b]`;
const unquoted = (text: string) => text.replaceAll(/(['\u2018-\u201b])['\u2018-\u201b]/g, '$1');

/** The arguments of curl.exe, after the files of the line were written. */
function understood(line: string): readonly string[] {
  const files = new Map<string, string>();
  const setting = new RegExp(
    String.raw`^\$(\w) = \[IO\.Path\]::GetTempFileName\(\); \[IO\.File\]::(?:WriteAllText\(\$\1, ${quoted}\)|WriteAllBytes\(\$\1, \[Convert\]::FromBase64String\('([\w+/=]*)'\)\)); `,
  );
  let rest = line;
  for (let found = setting.exec(rest); found !== null; found = setting.exec(rest)) {
    const [all, name = '', text, bytes = ''] = found;
    files.set(name, join(folder, name));
    writeFileSync(join(folder, name), text === undefined ? Buffer.from(bytes, 'base64') : unquoted(text));
    rest = rest.slice(all.length);
  }
  const words = [...rest.matchAll(new RegExp(String.raw`(?:${quoted}|"(@?)\$(\w)"|([\w.-]+))(?: |$)`, 'gy'))];
  expect(words.map(([all]) => all).join('')).toBe(rest);
  const [program, ...args] = words.map(([, text, at, name, bare]) =>
    name !== undefined ? `${at}${files.get(name)}` : (bare ?? unquoted(text ?? '')),
  );
  expect(program).toBe('curl.exe');
  // Both generations of PowerShell pass such words on unchanged, and so does any code page.
  for (const arg of args) expect(arg).toMatch(/^[ !#-~]*[ !#-[\]-~]$/);
  return args;
}

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      "'",
      '"',
      '\u2018',
      '\u2019',
      '`',
      '$',
      '$b',
      '\\',
      '%PATH%',
      '|',
      '&',
      ';',
      '#',
      '@',
      ' ',
      'ä',
      '🎉',
    ),
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 3 }),
  ),
  minLength: 1,
  maxLength: 12,
});

test('curl gets exactly the body, headers, method and URL', () => {
  const bodies = fc.oneof(
    hostile.map((text) => Buffer.from(text)),
    fc.uint8Array({ minLength: 1 }),
  );
  fc.assert(
    fc.property(bodies, hostile, hostile, (body, value, path) => {
      const headers: readonly Header[] = [
        ['content-type', 'application/json'],
        ['x-first', value],
        ['x-empty', ''],
        ['x-second', `"${value}`],
      ];
      const url = `http://agent.test/${path}`;
      const line = powershellOf({ request: { method: 'PUT', url, headers, body } });
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      const args = understood(line);
      const given = args.flatMap((arg, at) => (args[at - 1] === '-H' ? [arg] : []));
      const sent = given.flatMap((text) =>
        text.startsWith('@') ? readFileSync(text.slice(1), 'utf8').split('\n') : [text],
      );
      expect(sent.sort()).toEqual(
        ['content-type: application/json', 'x-empty;', `x-first: ${value}`, `x-second: "${value}`].sort(),
      );
      expect(args.slice(0, 4)).toEqual(['-sS', '-i', '-X', 'PUT']);
      expect(args.slice(args.indexOf('--data-binary'))[1]).toBe(`@${join(folder, 'b')}`);
      expect(readFileSync(join(folder, 'b'))).toEqual(Buffer.from(body));
      if (args.at(-2) !== '-K') expect(args.at(-1)).toBe(url);
      else {
        const [, text = ''] = /^url = "(.*)"$/.exec(readFileSync(join(folder, 'u'), 'utf8')) ?? [];
        expect(text.replaceAll(/\\(.)/g, '$1')).toBe(url);
      }
    }),
    byDay(200),
  );
});

test('a curl that is there sends it', async () => {
  const got: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    got.push(`${request.method} ${request.url} ${request.headers['if-none-match']} ${Buffer.concat(chunks)}`);
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    const request: WireRequest = {
      method: 'POST',
      url: `http://127.0.0.1:${port}/a"b`,
      headers: [
        ['content-type', 'application/json'],
        ['if-none-match', '"e1"'],
      ],
      body: Buffer.from('{"text":"it\u2019s \'ä\'"}'),
    };
    const args = understood(powershellOf({ request }));
    await once(spawn('curl', args, { stdio: 'ignore' }), 'close');
    expect(got).toEqual(['POST /a"b "e1" {"text":"it\u2019s \'ä\'"}']);
  } finally {
    server.close();
  }
});

test.each<[line: string, request: WireRequest]>([
  ["curl.exe -sS -i 'http://agent.test/'", { method: 'GET', url: 'http://agent.test/', headers: [] }],
  [
    `$b = [IO.Path]::GetTempFileName(); [IO.File]::WriteAllText($b, '{"id":1}'); curl.exe -sS -i -H 'content-type: application/json' --data-binary "@$b" 'http://agent.test/rpc'`,
    {
      method: 'POST',
      url: 'http://agent.test/rpc',
      headers: [['content-type', 'application/json']],
      body: Buffer.from('{"id":1}'),
    },
  ],
  [
    "$s = [Net.Sockets.TcpClient]::new('::1', 8080).GetStream(); $b = [Convert]::FromBase64String('eA0K'); $s.Write($b, 0, $b.Length); [IO.StreamReader]::new($s).ReadToEnd()",
    { method: 'RAW', url: 'http://[::1]:8080/', headers: [], body: Buffer.from('x\r\n') },
  ],
  [
    "$s = [Net.Sockets.TcpClient]::new('agent.test', 443).GetStream(); $s = [Net.Security.SslStream]::new($s); $s.AuthenticateAsClient('agent.test'); $b = [Convert]::FromBase64String('eA=='); $s.Write($b, 0, $b.Length); [IO.StreamReader]::new($s).ReadToEnd()",
    { method: 'RAW', url: 'https://agent.test/', headers: [], body: Buffer.from('x') },
  ],
])('%s', (line, request) => {
  expect(powershellOf({ request })).toBe(line);
});
