import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Dialect, dialectById } from '../../../dialect/index.js';
import { commandsFor, type Slot } from './output.js';
import { flat, patternOf } from './pattern.js';
import { piecesOf } from './repetition.js';
import { alone, commandOf } from './request.js';
import { rareFunctions } from './shell.js';

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
        const script = `${rareFunctions['many']}\n${commandsFor(body, []).join('\n')}`;
        expect(sh(script).equals(body)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  test('of a megabyte are a few commands', () => {
    const body = bytes(`{"id":"${'ab'.repeat(300_000)}","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
    const commands = commandsFor(body, []);
    expect(commands.join('\n').length).toBeLessThan(300);
    expect(sh(`${rareFunctions['many']}\n${commands.join('\n')}`).equals(Buffer.from(body))).toBe(true);
    expect(piecesOf(bytes('short'))).toHaveLength(1);
  });

  test('take ids from variables', () => {
    const commands = commandsFor(bytes('{"id":"t-1234","other":"t-1234"}'), [{ value: 't-1234', variable: 'task_a' }]);
    expect(sh(`task_a='t 9'; ${commands.join('\n')}`).toString()).toBe('{"id":"t 9","other":"t 9"}');
  });
});

describe('what is sent at once', () => {
  /** What is asked of curl in a round, in order, and the names in their turn. */
  const asked = (round: number): string => {
    const { turn, in_turn, at_once } = rareFunctions;
    const script = `dir=$(mktemp -d) round=${round}
told() { :; }
no_answer() { false; }
curl() {
  case $* in *--version) return ;; esac
  shift 5
  printf '%s|' "$@" >&3
}
${turn}\n${in_turn}\n${at_once}
in_turn a b c
at_once 'a b c' -o 'a 1' --next -o 'b "2"' --next -o '' 3>&1
rm -r "$dir"`;
    return sh(script).toString();
  };

  test('begins with another one in every second round', () => {
    const usual = 'a b c\n-o|a 1|--next|-o|b "2"|--next|-o||';
    const turned = ['b c a\n-o|b "2"|--next|-o||--next|-o|a 1|', 'c a b\n-o||--next|-o|a 1|--next|-o|b "2"|'];
    expect([0, 1, 2, 3, 4].map(asked)).toEqual([usual, turned[0], usual, turned[1], usual]);
  });
});

describe('silence', () => {
  /** The exit code where a request took so long, and harmless ones after it. */
  const silent = (code: number, took: number, ...others: readonly number[]): number | null =>
    spawnSync('sh', [
      '-c',
      `left='${others.join(' ')}' code=0
canary() { usual=\${left%% *} left=\${left#* }; [ "$usual" != 9 ] || code=28; }
told() { case $1 in 0) echo "$usual" ;; *) echo ${took} ;; esac; }
no_answer() { case $1 in 0) [ $code != 0 ] ;; *) [ ${code} != 0 ] ;; esac; }
${rareFunctions['silent']}\nsilent 1`,
    ]).status;

  test('is told from a busy machine, and from an agent that is gone', () => {
    expect(silent(28, 2.4, 0.01, 0.01)).toBe(0);
    expect(silent(28, 2.4, 3, 0.01)).toBe(0);
    expect(silent(28, 2.4, 1, 0.6)).toBe(1);
    expect(silent(28, 2.4, 0.01, 9)).toBe(1);
    expect(silent(0, 0.1, 0.01, 0.01)).toBe(1);
  });
});

describe('a task that is open again', () => {
  /** The exit code for these bodies, by name; those of a wait are its looks. */
  const opened = (bodies: Readonly<Record<string, string | readonly string[]>>): number | null => {
    const kept = Object.entries(bodies).map(([name, body]) =>
      typeof body === 'string'
        ? `printf %s '${body}' >"$dir/${name}.body"`
        : `printf '%s\\n' ${body.map((one) => `'${one}'`).join(' ')} >"$dir/${name}.polls"`,
    );
    const script = `dir=$(mktemp -d)
flat() { tr -d '\\000\\r\\n' <"$dir/$1.body"; echo; }
${rareFunctions['reopened']}
${kept.join('\n')}
reopened task-1 ${Object.keys(bodies).join(' ')}; code=$?; rm -r "$dir"; exit $code`;
    return spawnSync('sh', ['-c', script]).status;
  };
  const shown = (state: string, id = 'task-1'): string =>
    `{"id":"f","result":{"kind":"task","id": "${id}","status": {"timestamp":"x","state":"${state}"},"history":[{"text":"\\n"}]}}`;
  const event = (state: string): string =>
    `data: {"id":"f","result":{"taskId":"task-1","status":{"state":"${state}"}}}\n\n`;

  test('is told by any look of a wait', () => {
    expect(opened({ 1: shown('completed'), 2: [shown('working'), shown('completed')] })).toBe(0);
    expect(opened({ 1: [shown('completed'), shown('working'), shown('completed')] })).toBe(0);
    expect(opened({ 1: shown('submitted'), 2: [shown('working'), shown('completed')], 3: shown('completed') })).toBe(1);
    expect(opened({ 1: shown('TASK_STATE_COMPLETED'), 2: shown('TASK_STATE_FAILED') })).toBe(0);
  });

  test('is another one than any other task', () => {
    expect(opened({ 1: shown('completed', 'task-2'), 2: shown('working') })).toBe(1);
    expect(opened({ 1: shown('completed'), 2: '{"id":"task-1","error":{"code":-32001}}' })).toBe(1);
  });

  test('is not told by what was sent at once, nor by an event', () => {
    expect(opened({ '1-1': shown('completed'), '1-2': shown('working') })).toBe(1);
    expect(opened({ '1-1': shown('completed'), '1-2': shown('working'), '2-1': shown('working') })).toBe(0);
    expect(opened({ 1: shown('completed'), 2: event('working') + event('completed') })).toBe(1);
    expect(opened({ 1: event('working') + event('completed'), 2: shown('working') })).toBe(0);
  });
});

describe('a listing', () => {
  /** The exit code for these answers, the first named 1. */
  const listed = (call: string, ...bodies: readonly string[]): number | null => {
    const [name = ''] = call.split(' ');
    const kept = bodies.map((body, at) => `printf %s '${body}' >"$dir/${at + 1}.body"`);
    const script = `dir=$(mktemp -d)
flat() { tr -d '\\000\\r\\n' <"$dir/$1.body"; echo; }
${rareFunctions[name]}
${kept.join('\n')}
${call}; code=$?; rm -r "$dir"; exit $code`;
    return spawnSync('sh', ['-c', script]).status;
  };
  const page = (request: string, ids: readonly string[], token: string, total = 2): string =>
    `{"id": "${request}","result":{"tasks":[${ids.map((id) => `{"id" : "${id}","status":{}}`).join()}],"nextPageToken": "${token}","totalSize":${total}}}`;

  test('has so many members', () => {
    expect(listed('counts 1 status 2', page('f', ['a', 'b'], ''))).toBe(0);
    expect(listed('counts 1 status 3', page('f', ['a', 'b'], ''))).toBe(1);
    expect(listed('counts 1 artifacts 1', page('f', ['a', 'b'], ''))).toBe(1);
  });

  test('repeats a task', () => {
    expect(listed('repeats 2 1', page('f1', ['a'], 'x'), page('f2', ['a'], ''))).toBe(0);
    expect(listed('repeats 2 1', page('f1', ['a'], 'x'), page('f2', ['b'], ''))).toBe(1);
    expect(listed('repeats 3 1 2', page('f1', ['a'], 'x'), page('f2', ['b'], 'y'), page('f3', ['b'], ''))).toBe(0);
  });

  test('misses a task at its end', () => {
    expect(listed('misses 1 2', page('f1', ['a'], 'x'), page('f2', [], ''))).toBe(0);
    expect(listed('misses 1 2', page('f1', ['a'], 'x'), page('f2', ['b'], ''))).toBe(1);
    expect(listed('misses 1 2', page('f1', ['a'], 'x', 3), page('f2', ['b'], 'y', 3))).toBe(1);
    expect(listed('misses 1 2', page('f1', ['a'], 'x'), '{"id":"f2","error":{"code":-32602}}')).toBe(1);
  });
});

describe('a stream', () => {
  const update = (final: boolean, text = ''): string =>
    `data: {"kind": "status-update","text":${JSON.stringify(text)},"final": ${final}}\n\n`;
  const unfinal = (body: string, code = 0): number | null =>
    spawnSync(
      'sh',
      [
        '-c',
        `dir=$(mktemp -d); cat >"$dir/1.body"; no_answer() { [ ${code} != 0 ]; }
${rareFunctions['unfinal']}\nunfinal 1; code=$?; rm -r "$dir"; exit $code`,
      ],
      { input: body },
    ).status;

  test('is to end with a final status update', () => {
    expect(unfinal(update(true) + update(false))).toBe(0);
    expect(unfinal(update(false) + update(true))).toBe(1);
    expect(unfinal(`${update(true)}data: {"kind":"artifact-update"}\n\n`)).toBe(1);
    expect(unfinal(update(true, '\n"kind":"status-update","final":false'))).toBe(1);
    expect(unfinal(update(false), 28)).toBe(1);
    expect(unfinal('')).toBe(1);
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
      redact: <T>(one: T) => one,
    };
    const command = commandOf(exchange, [], spelling);
    const { variables } = command;
    const text = alone(command, '1', 5);
    expect(text).toContain('"authorization: Bearer $A2A_TCK_TOKEN"');
    expect(text).toContain('"$url?key=$A2A_TCK_KEY"');
    expect(text).not.toMatch(/secret|k%2F1/);
    expect(variables).toEqual(['A2A_TCK_TOKEN', 'A2A_TCK_X_API_KEY', 'A2A_TCK_KEY']);
  });
});

describe('requests whose path and query hold params', () => {
  const spelling = {
    dialect: dialectOf('a2a-1.0-rest'),
    endpoint: 'http://a.test/base/',
    callers: { credentials: [] },
    redact: <T>(one: T) => one,
  };
  const words = (method: string, url: string, slots: readonly Slot[] = [], body?: string) => {
    const request = { method, url, headers: [], ...(body === undefined ? {} : { body: bytes(body) }) };
    const exchange = { id: 'x1', purpose: 'fuzz', request, startedAt: 0, durationMs: 1 };
    const command = commandOf(exchange, slots, spelling);
    return { ...command, text: alone(command, '1', 5) };
  };

  test('are put below the endpoint as they are written', () => {
    const { text, isLate } = words('GET', 'http://a.test/base//tasks/a%00/../"$x`');
    expect(text).toContain('--path-as-is');
    expect(text).toContain('"$url//tasks/a%00/../\\"\\$x\\`"');
    expect(isLate).toBe(false);
    expect(words('DELETE', 'http://a.test/base/tasks/a').text).toContain('-X DELETE');
    expect(words('GET', 'http://a.test/base/tasks/a', [], '{}').text).toMatch(/-X GET.*--data-binary @-/);
  });

  test('take ids from variables, encoded where that makes a difference', () => {
    const slots = [
      { value: 't-1234', variable: 'task_a' },
      { value: 'a/b=', variable: 'token_b' },
    ];
    const { text, isLate } = words('GET', 'http://a.test/base/tasks/t-1234?pageToken=a%2Fb%3D', slots);
    expect(text).toContain(`"$url/tasks/\${task_a}?pageToken=\${token_b_url}"`);
    expect(isLate).toBe(true);
    const value = 'a%b/c+d:e=f~g';
    expect(sh(`${rareFunctions['encoded']}\nencoded '${value}'`).toString().trim()).toBe(encodeURIComponent(value));
  });

  test('succeed by their status', () => {
    const succeeds = (status: string) =>
      spawnSync('sh', ['-c', `told() { echo ${status}; }\n${rareFunctions['succeeds']}\nsucceeds 1`]).status;
    expect([succeeds('200'), succeeds('204'), succeeds('404'), succeeds('000')]).toEqual([0, 0, 1, 1]);
  });
});

describe('patterns', () => {
  const grep = (pattern: string, body: string): boolean =>
    spawnSync('grep', ['-Eq', '-e', pattern], {
      input: Buffer.from(`${body}\n`, 'latin1'),
      env: { LC_ALL: 'C', PATH: process.env['PATH'] },
    }).status === 0;
  const id = '00000001-7a5c-4000-8000-00000000000e';
  const answer = (task: string, state: string, text: string) =>
    `{"jsonrpc":"2.0","id":"f1","result":{"id":"${task}","status":{"state":"${state}","timestamp":"2026-01-01T00:00:00.000Z"},"text":"${text}"}}`;

  test('know the same text with other ids and times', () => {
    const other = answer(id.replace('e', 'f'), 'working', 'a+b').replace('2026', '2027');
    const pattern = patternOf([answer(id, 'working', 'a+b'), other], [id]);
    expect(grep(pattern, answer('another', 'working', 'a+b'))).toBe(true);
    expect(grep(pattern, answer(id, 'working', 'aab'))).toBe(false);
  });

  test('know the same shape where texts differ, and states where shapes do', () => {
    const shape = patternOf([answer(id, 'working', 'one "\\"'.slice(0, 3)), answer(id, 'working', 'two')], []);
    expect(grep(shape, answer(id, 'working', 'three'))).toBe(true);
    expect(grep(shape, answer(id, 'canceled', 'three'))).toBe(false);
    const kind = patternOf([answer(id, 'working', 'one'), `${answer(id, 'working', 'one')} `], []);
    expect(grep(kind, answer(id, 'working', 'one'))).toBe(true);
    expect(grep(kind, answer(id, 'failed', 'one'))).toBe(false);
    expect(grep(kind, '{"error":{"code":-32603}}')).toBe(false);
  });

  test('hold for the body that they are made of, whatever it is', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (body) => {
        const text = flat(body);
        expect(grep(patternOf([text], []), text)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
