import { describe, expect, test } from 'vitest';
import { generatorFor } from '../../../test/spelled-agents.js';
import { dialectById, dialects } from '../../dialect/index.js';
import { unknownMember } from '../../ledger/index.js';
import { createInspector } from '../../ledger/schemas.js';
import { createSpell } from '../execute/spell.js';
import { createRandomSource } from '../generate/random-source.js';
import { translated } from './canonical.js';
import { type CallStep, type Case, callsOf } from './case.js';
import { transcode } from './transcode.js';

const dialect = (id: string) => {
  const found = dialectById(id);
  if (found === undefined) throw new Error(`no dialect ${id}`);
  return found;
};
test.each([
  ['a2a-0.3', 'a2a-1.0', 'send', '/message/parts/2/file/bytes', '/message/parts/2/raw'],
  ['a2a-0.3', 'a2a-1.0', 'send', '/message/parts/0/file/mimeType', '/message/parts/0/mediaType'],
  ['a2a-0.3', 'a2a-1.0', 'send', '/configuration/blocking', '/configuration/returnImmediately'],
  ['a2a-0.3', 'a2a-1.0', 'pushSet', '/pushNotificationConfig/url', '/url'],
  ['a2a-0.3', 'a2a-1.0', 'pushGet', '/id', '/taskId'],
  ['a2a-0.3', 'a2a-1.0', 'pushGet', '/pushNotificationConfigId', '/id'],
  ['a2a-0.3', 'terminal-bench', 'get', '/id', '/taskId'],
  ['a2a-0.3', 'xpr', 'send', '/message/taskId', '/id'],
  ['a2a-0.3', 'openclaw', 'send', '/message/parts/0/kind', '/message/parts/0/type'],
  ['a2a-0.3', 'a2a-1.0', 'send', '/message/metadata/deep/er', '/message/metadata/deep/er'],
  ['a2a-0.3', 'a2a-1.0', 'send', '/message/tckUnknown', '/message/tckUnknown'],
  ['a2a-0.3', 'a2a-1.0', 'send', '', ''],
] as const)('from %s to %s: %s %s is %s', (from, to, operation, pointer, expected) => {
  expect(translated(dialect(from), dialect(to), operation, pointer)).toBe(expected);
  expect(translated(dialect(to), dialect(from), operation, expected)).toBe(pointer);
});

test('what a dialect does not have has no place in it', () => {
  expect(translated(dialect('a2a-0.3'), dialect('a2a-1.0'), 'send', '/message/parts/0/kind')).toBeUndefined();
  expect(translated(dialect('a2a-0.3'), dialect('xpr'), 'send', '/configuration/historyLength')).toBeUndefined();
  const listing: Case = {
    dialect: 'a2a-1.0',
    steps: [{ step: 'call', operation: 'pushList', params: { taskId: 'a' } }],
  };
  expect(transcode(listing, dialect('xpr'))).toEqual({ reason: expect.stringContaining('no method for pushList') });
});

describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))('from %s', (_, from) => {
  test.each(dialects.map((dialect) => [dialect.id, dialect] as const))('to %s and back', (__, to) => {
    const generator = generatorFor(from);
    const randomSource = createRandomSource(3);
    let said = 0;
    for (let times = 0; times < 12; times++) {
      const made = generator.valid(randomSource, randomSource.pick(generator.operations), ['a']);
      const there = transcode({ dialect: from.id, steps: [made] }, to);
      if (!('case' in there)) continue;
      said++;
      const [step] = callsOf(there.case);
      expect(problemsOf(to, step)).toEqual([]);
      const back = transcode(there.case, from);
      if (!('case' in back)) throw new Error(back.reason);
      expect(problemsOf(from, callsOf(back.case)[0])).toEqual([]);
      // What one of them cannot say is lost once, and not a second time.
      const again = transcode(back.case, to);
      expect('case' in again ? transcode(again.case, from) : again).toEqual(back);
    }
    expect(said).toBeGreaterThan(0);
  });
});

const inspectors = new Map(dialects.map((dialect) => [dialect.id, createInspector(dialect.schemas)]));
function problemsOf(to: (typeof dialects)[number], step: CallStep | undefined): readonly string[] {
  if (step?.params === undefined) return [];
  const spelled = createSpell()(step, {
    dialect: to,
    rpcId: 'f',
    resolve: (ref) => ref,
    endpoint: 'http://agent.test/',
    credentials: [],
  });
  const params = (spelled.request() as { readonly params: unknown }).params;
  const { findings } = inspectors.get(to.id)?.inspect(`rpc.schema.json#/$defs/${step.operation}.params`, params) ?? {
    findings: [],
  };
  // Members that one of them does not know are left alone by both.
  return findings.filter(({ message }) => message !== unknownMember).map(({ path, message }) => `${path} ${message}`);
}

test('short ways, edits, tricks and names survive', () => {
  const source: Case = {
    dialect: 'a2a-0.3',
    steps: [
      {
        step: 'call',
        operation: 'send',
        as: 'a',
        params: {
          message: {
            kind: 'message',
            messageId: 'm',
            role: 'user',
            parts: { $list: [{ kind: 'text', text: { $text: ['ab', 1000] } }, 50] },
          },
        },
        edits: [{ at: '/params/message/role', op: 'set', value: 'robot', keyword: 'enum' }],
        tricks: [{ trick: 'hostile-member', at: '/params/message/metadata', name: '__proto__', value: '1' }],
      },
      { step: 'wait', for: 'a' },
      { step: 'together', calls: [{ step: 'call', operation: 'get', params: { id: { $ref: 'a.task' } } }] },
    ],
  };
  const there = transcode(source, dialect('a2a-1.0'));
  expect(there).toEqual({
    case: {
      dialect: 'a2a-1.0',
      steps: [
        expect.objectContaining({
          as: 'a',
          params: {
            message: { messageId: 'm', role: 'ROLE_USER', parts: { $list: [{ text: { $text: ['ab', 1000] } }, 50] } },
          },
          edits: [{ at: '/params/message/role', op: 'set', value: 'robot', keyword: 'enum' }],
          tricks: [{ trick: 'hostile-member', at: '/params/message/metadata', name: '__proto__', value: '1' }],
        }),
        { step: 'wait', for: 'a' },
        { step: 'together', calls: [expect.objectContaining({ params: { id: { $ref: 'a.task' } } })] },
      ],
    },
  });
  expect('case' in there ? transcode(there.case, dialect('a2a-0.3')) : there).toEqual({ case: source });
});

describe('between the bindings', () => {
  const said = (from: string, to: string, step: CallStep) =>
    transcode({ dialect: dialect(from).id, steps: [step] }, dialect(to));
  const read: CallStep = { step: 'call', operation: 'get', params: { id: 'a' } };

  test('a case of the params runs in both', () => {
    const odd: CallStep = { ...read, edits: [{ at: '/params/id', op: 'set', value: 'a\u0000', keyword: 'format' }] };
    expect(said('a2a-1.0', 'a2a-1.0-rest', odd)).toEqual({ case: { dialect: 'a2a-1.0-rest', steps: [odd] } });
    expect(said('a2a-1.0-rest', 'a2a-0.3', odd)).toEqual({ case: { dialect: 'a2a-0.3', steps: [odd] } });
  });

  test.each<[what: string, from: string, to: string, changes: Partial<CallStep>, reason: RegExp]>([
    [
      'the envelope',
      'a2a-0.3',
      'a2a-1.0-rest',
      { edits: [{ at: '/id', op: 'set', value: true, keyword: 'type' }] },
      /has nothing around the params, where \/id would be/,
    ],
    [
      'a batch',
      'a2a-1.0',
      'a2a-1.0-rest',
      { tricks: [{ trick: 'batch', count: 2 }] },
      /has nothing for the trick batch/,
    ],
    ['the text of a GET', 'a2a-1.0', 'a2a-1.0-rest', { tricks: [{ trick: 'bom' }] }, /has nothing for the trick bom/],
    [
      'a path',
      'a2a-1.0-rest',
      'a2a-1.0',
      { tricks: [{ trick: 'path', text: '%00' }] },
      /has nothing for the trick path/,
    ],
  ])('a case that changes %s runs in one', (_, from, to, changes, reason) => {
    expect(said(from, to, { ...read, ...changes })).toEqual({ reason: expect.stringMatching(reason) });
  });
});
