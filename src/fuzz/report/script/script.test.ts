import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Dialect, dialectById } from '../../../dialect/index.js';
import { replayOptions } from './credentials.js';
import { commandsFor, type Slot } from './output.js';
import { piecesOf } from './repetition.js';
import { commandOf } from './request.js';

const dialectOf = (id: string): Dialect => {
  const found = dialectById(id);
  if (found === undefined) throw new Error(`no dialect ${id}`);
  return found;
};
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const sh = (script: string, input?: string): Buffer =>
  spawnSync('sh', ['-c', script], { input, env: { PATH: process.env['PATH'], LC_ALL: 'C' } }).stdout;

describe('bodies', () => {
  test('come out of the shell as they went in', () => {
    const odd = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 20 }),
        fc.constantFrom("'", '%s%%', '\\n', '$HOME `id`', '-n', 'é€𝄞').map(bytes),
        fc
          .tuple(fc.uint8Array({ minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 3000 }))
          .map(([unit, times]) => Buffer.concat(Array.from({ length: times }, () => unit))),
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(odd, (parts) => {
        const body = Buffer.concat(parts);
        expect(sh(commandsFor(body, []).join('\n')).equals(body)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test('of a megabyte are a few commands', () => {
    const body = bytes(`{"id":"${'ab'.repeat(300_000)}","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
    const commands = commandsFor(body, []);
    expect(commands.join('\n').length).toBeLessThan(300);
    expect(sh(commands.join('\n')).equals(Buffer.from(body))).toBe(true);
    expect(piecesOf(bytes('short'))).toHaveLength(1);
  });

  test('take ids from variables', () => {
    const commands = commandsFor(bytes('{"id":"t-1234","other":"t-1234"}'), [{ value: 't-1234', variable: 'task_a' }]);
    expect(sh(`task_a='t 9'; ${commands.join('\n')}`).toString()).toBe('{"id":"t 9","other":"t 9"}');
  });
});

describe('credentials', () => {
  const exchange = {
    id: 'x1',
    purpose: 'fuzz',
    request: {
      method: 'POST',
      url: 'http://a.test/rpc?key=k%2F1',
      headers: [
        ['authorization', 'Bearer very-secret'],
        ['x-api-key', 'also-secret'],
        ['content-type', 'application/json'],
      ] as const,
      body: bytes('{}'),
    },
    startedAt: 0,
    durationMs: 1,
  };
  const callers = {
    credentials: [
      ['authorization', 'Bearer very-secret'],
      ['x-api-key', 'also-secret'],
    ] as const,
    query: [['key', 'k/1']] as const,
  };

  test('are names of variables, and nowhere a value', () => {
    const spelling = {
      dialect: dialectOf('a2a-0.3'),
      endpoint: 'http://a.test/rpc',
      callers,
      redact: <T>(item: T) => item,
    };
    const command = commandOf(exchange, [], spelling);
    const { variables, words: text = '' } = command;
    expect(text).toContain('"authorization: Bearer $A2A_TCK_TOKEN"');
    expect(text).toContain('"$url?key=$A2A_TCK_KEY"');
    expect(text).not.toMatch(/secret|k%2F1/);
    expect(variables).toEqual(['A2A_TCK_TOKEN', 'A2A_TCK_X_API_KEY', 'A2A_TCK_KEY']);
  });

  test('reach the kit by the same variables', () => {
    const { variables, words } = replayOptions({ ...callers, secondCredentials: [['authorization', 'Basic secret']] });
    expect(variables).toEqual(['A2A_TCK_TOKEN', 'A2A_TCK_X_API_KEY', 'A2A_TCK_SECOND_AUTHORIZATION', 'A2A_TCK_KEY']);
    expect(sh(`A2A_TCK_X_API_KEY="a b"; printf '%s|' ${words.slice(0, 2).join(' ')}`).toString()).toBe(
      '--bearer-env|A2A_TCK_TOKEN|--header|x-api-key: a b|',
    );
    expect(words.slice(2)).toEqual([
      `--second-header 'authorization: Basic '"$A2A_TCK_SECOND_AUTHORIZATION"`,
      '--query-env key=A2A_TCK_KEY',
    ]);
  });
});

describe('requests whose path and query hold params', () => {
  const spelling = {
    dialect: dialectOf('a2a-1.0-rest'),
    endpoint: 'http://a.test/base/',
    callers: { credentials: [] },
    redact: <T>(item: T) => item,
  };
  const words = (method: string, url: string, slots: readonly Slot[] = [], body?: string) => {
    const request = { method, url, headers: [], ...(body === undefined ? {} : { body: bytes(body) }) };
    const exchange = { id: 'x1', purpose: 'fuzz', request, startedAt: 0, durationMs: 1 };
    const { input, words: text = '' } = commandOf(exchange, slots, spelling);
    return { input, text };
  };

  test('are put below the endpoint unchanged', () => {
    const { text } = words('GET', 'http://a.test/base//tasks/a%00/../"$x`');
    expect(text).toContain('--path-as-is');
    expect(text).toContain('"$url//tasks/a%00/../\\"\\$x\\`"');
    expect(words('DELETE', 'http://a.test/base/tasks/a').text).toContain('-X DELETE');
    expect(words('GET', 'http://a.test/base/tasks/a', [], '{}')).toMatchObject({
      text: expect.stringMatching(/-X GET/),
      input: ["printf %s '{}'"],
    });
  });

  test('take ids from variables, encoded where that makes a difference', () => {
    const slots = [
      { value: 't-1234', variable: 'task_a' },
      { value: 'a/b=', variable: 'token_b' },
    ];
    const { text } = words('GET', 'http://a.test/base/tasks/t-1234?pageToken=a%2Fb%3D', slots);
    expect(text).toContain(`"$url/tasks/\${task_a}?pageToken=\${token_b_url}"`);
  });
});
