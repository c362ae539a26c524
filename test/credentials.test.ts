import { expect, test } from 'vitest';
import { longestSecret } from '../src/wire/index.js';
import { startStreamingReference } from './peers/streaming-reference.js';
import { commandLine } from './terminal.js';

// How long and how short credentials may be, and what the kit says of both.

const token = (length: number): string =>
  Array.from({ length }, (_, at) => ((at * 7919) % 36).toString(36))
    .join('-')
    .slice(0, length);

test.for([
  ['the header Authorization', ['--bearer-env', 'LONG']],
  ['the header X-Key', ['--header', `X-Key: ${token(longestSecret + 1)}`]],
  ['the query parameter key', ['--query-env', 'key=LONG']],
  ['the secret of the OAuth client', ['--oauth-client-id-env', 'ID', '--oauth-client-secret-env', 'LONG']],
] as const)('%s that is too long is refused in two lines, by run and by call', async ([what, args]) => {
  const env = { LONG: token(longestSecret + 1), ID: 'client' };
  for (const command of [['run'], ['call', 'get', '--id', 'x']]) {
    const { code, out, err } = await commandLine([...command, '--url', 'http://127.0.0.1:9', ...args], env);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toBe(`a2a-tck: ${what} has 8193 characters\n  the kit takes at most 8192 of a credential\n`);
  }
});

test('a token of the greatest length is sent, and appears in no output', async () => {
  const agent = await startStreamingReference('a2a-1.0');
  try {
    const args = ['run', '--url', agent.url, '--check', 'message/*', '--bearer-env', 'LONG', '--json'];
    const { code, out, err } = await commandLine(args, { LONG: token(longestSecret) });
    expect(code).toBe(0);
    expect(out + err).not.toContain(token(60));
    const word = await commandLine(args, { LONG: 'fail' });
    expect(word.out).toContain('a credential is a common word');
    expect(word.out).toContain('"verdict": "pass"');
  } finally {
    await agent.close();
  }
});
