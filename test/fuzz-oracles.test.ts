import { describe, expect, test } from 'vitest';
import { faults, fuzzFaults } from '../fixtures/faults/index.js';
import { dialects } from '../src/dialect/index.js';
import type { CallStep, Step, WireMutation } from '../src/fuzz/case/case.js';
import { createGenerator } from '../src/fuzz/generate/create-generator.js';
import { createDictionary } from '../src/fuzz/generate/dictionary.js';
import { createRandomSource } from '../src/fuzz/generate/random-source.js';
import { isTerminal } from '../src/model/index.js';
import type { Patch } from '../src/reference/index.js';
import {
  asked,
  cancel,
  edit,
  edited,
  symptomsOf as judged,
  labOn,
  lookAt,
  type Profile,
  plain,
  read,
  say,
} from './fuzz-judged.js';

// What the oracles of single answers say of cases written by hand, on agents with a fault and on the same without it.

const tricked = (step: CallStep, trick: WireMutation): readonly Step[] => [{ ...step, tricks: [trick] }];

const table: readonly (readonly [fault: string, bucket: RegExp, steps: readonly Step[]])[] = [
  ['fuzz-fraction-id-cut', /^law\/fraction-id get$/, edited(read, edit('/id', 'type', 1.5))],
  ['fuzz-long-id-cut', /^law\/rpc\/id-echoed get$/, edited(read, edit('/id', 'type', { $text: ['i', 256] }))],
  ['fuzz-zero-id-lost', /^law\/rpc\/id-echoed get$/, edited(read, edit('/id', 'type', 0))],
  ['fuzz-object-id-crashes', /^alive\/page get type \/id$/, edited(read, edit('/id', 'type', {}))],
  [
    'fuzz-long-method-hangs',
    /^alive\/hang get enum \/method$/,
    edited(read, edit('/method', 'enum', { $text: ['m', 300] })),
  ],
  ['fuzz-params-array-crashes', /^alive\/empty get type \/params$/, edited(read, edit('/params', 'type', []))],
  ['fuzz-no-params-is-internal', /^error-class\/InternalError cancel/, edited(cancel, edit('/params', 'required'))],
  [
    'fuzz-missing-member-is-unknown-method',
    /^error-class\/MethodNotFound send .*\/params\/message\/parts$/,
    edited(plain, edit('/params/message/parts', 'required')),
  ],
  [
    'fuzz-parts-no-array-resets',
    /^alive\/reset send type \/params\/message\/parts$/,
    edited(plain, edit('/params/message/parts', 'type', 'text')),
  ],
  [
    'fuzz-parts-no-array-kills',
    /^alive\/dead$/,
    [...edited(plain, edit('/params/message/parts', 'type', 'text')), read],
  ],
  [
    'fuzz-number-in-part-resets',
    /^alive\/reset send type/,
    edited(plain, edit('/params/message/parts/0/text', 'type', 5)),
  ],
  ['fuzz-null-in-list-crashes', /^alive\/page send type/, edited(plain, edit('/params/message/parts/0', 'type', null))],
  [
    'fuzz-deep-metadata-hangs',
    /^alive\/hang send bounds/,
    edited(plain, edit('/params/message/metadata', 'bounds', { deep: { $nest: ['{', 30] } })),
  ],
  ['fuzz-empty-task-id-leaks', /^leak\/an error of its database get$/, edited(read, edit('/params/id', 'format', ''))],
  ['fuzz-emoji-in-id-is-internal', /InternalError get|exception get/, edited(read, edit('/params/id', 'format', '🙂'))],
  [
    'fuzz-odd-context-leaks',
    /^leak\/a path of a file send$/,
    edited(plain, edit('/params/message/contextId', 'type', 5)),
  ],
  [
    'fuzz-long-text-resets',
    /^alive\/reset send/,
    edited(plain, edit('/params/message/parts/0/text', 'bounds', { $text: ['a', 61_000] })),
  ],
  ['fuzz-empty-text-hangs', /^alive\/hang send/, edited(plain, edit('/params/message/parts/0/text', 'format', ''))],
  [
    'fuzz-text-with-format-leaks',
    /^leak\/its environment send$/,
    edited(plain, edit('/params/message/parts/0/text', 'format', '%s%n')),
  ],
  [
    'fuzz-long-header-resets',
    /^alive\/reset get trick header$/,
    tricked(read, { trick: 'header', name: 'X-Tck', value: 'a', times: 5000, count: 1 }),
  ],
  [
    'fuzz-truncated-json-hangs',
    /^alive\/hang get trick truncated$/,
    tricked(read, { trick: 'truncated', permille: 500 }),
  ],
  ['fuzz-trailing-garbage-empties', /^alive\/empty get trick tail$/, tricked(read, { trick: 'tail', text: ' more' })],
  [
    'fuzz-cost-quadratic-in-parts',
    /^cost\/send \/params\/message\/parts$/,
    edited(plain, edit('/params/message/parts', 'bounds', { $list: [{ kind: 'text', text: 'x' }, 200] })),
  ],
  [
    'fuzz-cost-quadratic-in-text',
    /^cost\/send \/params\/message\/parts\/N\/text$/,
    [say('tck', { parts: [{ kind: 'text', text: { $text: ['word ', 4096] } }] })],
  ],
  [
    'fuzz-answer-repeats-parts',
    /^cost\/get \/params\/message\/parts answer$/,
    [
      { ...say('all', { parts: { $list: [{ kind: 'text', text: 'x\n' }, 500] } }), as: 'a' },
      { step: 'wait', for: 'a' },
      lookAt('a'),
    ],
  ],
  [
    'fuzz-bad-message-fails-newest-task',
    /^unchanged\/state refused send type \/params\/message$/,
    [...asked, lookAt('a'), ...edited(plain, edit('/params/message', 'type', 5)), lookAt('a')],
  ],
  [
    'fuzz-refused-message-enters-history',
    /^unchanged\/history refused send valid$/,
    [
      { ...plain, as: 'a' },
      { step: 'wait', for: 'a' },
      lookAt('a'),
      say('again', { taskId: { $ref: 'a.task' } }),
      lookAt('a'),
    ],
  ],
  [
    'fuzz-bad-cancel-cancels',
    /^unchanged\/state refused cancel/,
    [
      ...asked,
      ...edited({ ...cancel, params: { id: { $ref: 'a.task' }, metadata: {} } }, edit('/params/metadata', 'type', 5)),
    ],
  ],
  // Of an open task, which goes on by itself.
  [
    'fuzz-bad-cancel-cancels',
    /^unchanged\/state refused cancel/,
    [
      { ...say('tck-long-running'), as: 'a' },
      ...edited({ ...cancel, params: { id: { $ref: 'a.task' }, metadata: {} } }, edit('/params/metadata', 'type', 5)),
      lookAt('a'),
    ],
  ],
  // Of a request about a task that does not exist, behind one that has been canceled.
  [
    'fuzz-bad-cancel-cancels',
    /^unchanged\/state refused cancel/,
    [
      { ...say('tck-long-running'), as: 'a' },
      { ...cancel, params: { id: { $ref: 'a.task' } } },
      ...edited({ ...cancel, params: { id: 'nobody', metadata: {} } }, edit('/params/metadata', 'type', 5)),
    ],
  ],
  // The same about that task itself.
  [
    'fuzz-bad-cancel-cancels',
    /^unchanged\/state refused cancel/,
    [
      { ...say('tck-long-running'), as: 'a' },
      { ...cancel, params: { id: { $ref: 'a.task' } } },
      ...edited({ ...cancel, params: { id: { $ref: 'a.task' }, metadata: {} } }, edit('/params/metadata', 'type', 5)),
    ],
  ],
];

/** Faults that checks see too, and the sentences that they break. */
const broken: readonly (readonly [fault: string, bucket: string, keys: readonly string[], steps: readonly Step[]])[] = [
  ['rpc-fixed-id', 'law/rpc/id-echoed get', ['rpc.string-id-echoed', 'rpc.integer-id-echoed'], [read]],
  [
    'rpc-parse-error-as-invalid-request',
    'error-class/InvalidRequest get parse-error trick truncated',
    ['rpc.parse-error'],
    tricked(read, { trick: 'truncated', permille: 500 }),
  ],
  [
    'rpc-unknown-method-is-internal-error',
    'error-class/InternalError get unknown-method enum /method',
    ['rpc.unknown-method'],
    edited(read, edit('/method', 'enum', 'kit/no-such-method')),
  ],
  [
    'rpc-version-ignored',
    'error-class/accepted send const /jsonrpc',
    ['rpc.version-checked'],
    edited(plain, edit('/jsonrpc', 'const', '1.0')),
  ],
  [
    'send-accepts-missing-parts',
    'error-class/accepted send required /params/message/parts',
    ['send.parts-required'],
    edited(plain, edit('/params/message/parts', 'required')),
  ],
  [
    'sec-object-for-id-crashes',
    'alive/page get type /params/id',
    ['sec.bad-input'],
    edited(read, edit('/params/id', 'type', { $raw: '{}' })),
  ],
  [
    'get-shows-artifacts-once',
    'unchanged/artifacts reading',
    ['get.artifacts-kept'],
    [{ ...say('tck-artifact-text'), as: 'a' }, { step: 'wait', for: 'a' }, lookAt('a'), lookAt('a')],
  ],
];

const faultOf = (id: string) => {
  const fault = fuzzFaults.find((fuzzFault) => fuzzFault.id === id);
  if (fault === undefined) throw new Error(`no fault ${id}`);
  return fault;
};

describe('the oracles of single answers', () => {
  test.each(table)('see %s', async (id, bucket, steps) => {
    const { patch, on, profiles = ['a2a-0.3'] } = faultOf(id);
    const profile = profiles[0] as Profile;
    expect(await judged(steps, profile, [], on)).toEqual([]);
    const seen = (await judged(steps, profile, [patch], on)).map((symptom) => symptom.bucket);
    expect(
      seen.filter((text) => bucket.test(text)),
      seen.join(', '),
    ).toHaveLength(1);
  });

  test.each(broken)('name the sentences that %s breaks', async (id, bucket, keys, steps) => {
    const fault = faults.find((fault) => fault.id === id);
    const seen = await judged(steps, 'a2a-0.3', fault === undefined ? [] : [fault.patch], fault?.on);
    expect(seen.map((symptom) => symptom.bucket)).toContain(bucket);
    expect(seen.find((symptom) => symptom.bucket === bucket)?.keys).toEqual(keys);
  });

  test.each([
    ['of another operation', edited(read, edit('/params/id', 'type', 5))],
    [
      'that may have been right',
      edited({ ...cancel, params: { id: 'nobody' } }, edit('/params/metadata', 'type', null)),
    ],
  ])('look behind a refused cancel though they have just looked behind a refusal %s', async (_, other) => {
    const { runner } = await labOn('a2a-0.3', [faultOf('fuzz-bad-cancel-cancels').patch]);
    const bad = edited({ ...cancel, params: { id: 'nobody', metadata: {} } }, edit('/params/metadata', 'type', 5));
    const before = await runner.examine({ dialect: 'a2a-0.3', steps: other }, 1);
    expect(before.symptoms).toEqual([]);
    // That refusal is the last one once more: it was looked at.
    const after = await runner.examine({ dialect: 'a2a-0.3', steps: [...bad, ...other] }, 2);
    expect(after.symptoms.map(({ bucket }) => bucket)).toEqual([
      'unchanged/state refused cancel type /params/metadata',
    ]);
  });

  test('do not blame a refused cancel for a task that the agent gives up by itself', async () => {
    // A client that reads a working task a second time finds it canceled.
    const givingUp: Patch = (inner, { store }) => {
      const read = new Set<string>();
      return {
        async execute(command, call) {
          const found = command.op === 'get' ? store.get(command.params.id) : undefined;
          if (found !== undefined && read.has(found.id) && !isTerminal(found.status.state))
            store.put({ ...found, status: { ...found.status, state: 'canceled' } });
          if (found !== undefined) read.add(found.id);
          return inner.execute(command, call);
        },
      };
    };
    const broken = { ...cancel, params: { id: { $ref: 'a.task' }, metadata: {} } };
    const steps = [
      { ...say('tck-long-running'), as: 'a' },
      lookAt('a'),
      ...edited(broken, edit('/params/metadata', 'type', 5)),
      lookAt('a'),
    ];
    const seen = await judged(steps, 'a2a-0.3', [givingUp]);
    expect(seen.map(({ bucket }) => bucket).filter((bucket) => bucket.startsWith('unchanged'))).toEqual([]);
  });

  test('hold no sentence against an agent that refuses valid requests alike', async () => {
    const everything: Patch = () => ({
      command() {
        throw new Error('always');
      },
    });
    const seen = await judged(edited(plain, edit('/params/message/parts', 'required')), 'a2a-0.3', [everything]);
    expect(seen.filter(({ oracle }) => oracle === 'error-class')).toEqual([]);
  });

  test.each(dialects.map(({ id }) => id))('are silent on the clean agent of %s', async (profile) => {
    const { stage, runner } = await labOn(profile, []);
    const { dialect } = stage.client;
    const { card } = stage.target;
    const dictionary = createDictionary({ card, behaviours: {} });
    const generator = createGenerator({ dialect, card, dictionary, readOnly: false, rawSocket: false });
    const randomSource = createRandomSource(7);
    for (let number = 1; number <= 12; number++) {
      const next = generator.fresh(randomSource);
      const { symptoms, fault } = await runner.examine(next, number);
      expect(fault).toBeUndefined();
      expect(symptoms, JSON.stringify(next)).toEqual([]);
    }
  });
});
