import type { Dialect } from '../src/dialect/index.js';
import type { CallStep, Edit, Keyword, Step, Value } from '../src/fuzz/case/case.js';
import { createCaseRunner } from '../src/fuzz/execute/case-runner.js';
import { createSpell } from '../src/fuzz/execute/spell.js';
import { answerOracles } from '../src/fuzz/oracles/index.js';
import type { Oracle } from '../src/fuzz/oracles/oracle.js';
import type { Patch } from '../src/reference/index.js';
import type { Carrier } from '../src/wire/index.js';
import { staged } from './fuzzing.js';

// Cases that are written by hand, and what the oracles of single answers say of them.

export type Profile = 'a2a-0.3' | 'a2a-1.0';

/** What cases are tried on, judged by the oracles of single answers unless others are given. */
export async function labOn(
  profile: Dialect['id'],
  patches: readonly Patch[],
  variant?: string,
  through: (agent: Carrier) => Carrier = (agent) => agent,
  oracles: readonly Oracle[] = answerOracles,
) {
  const { stage } = await staged({
    profile,
    patches,
    through,
    restarts: true,
    ...(variant === undefined ? {} : { variant }),
    stage: { limits: { timeoutMs: 10_000, maxBytes: 4 << 20 } },
  });
  const runner = createCaseRunner(
    stage,
    { runs: 1 },
    {
      spell: createSpell({ inspector: stage.inspector }),
      generator: () => {
        throw new Error('cases are written by hand here');
      },
      oracles: () => oracles,
      settle: async () => undefined,
    },
  );
  return { stage, runner };
}

/** All symptoms of one case. */
export async function symptomsOf(steps: readonly Step[], ...where: Parameters<typeof labOn>) {
  const { runner } = await labOn(...where);
  const examined = await runner.examine({ dialect: where[0], steps }, 1);
  if (examined.fault !== undefined) throw new Error(examined.fault);
  return examined.symptoms;
}

/** The buckets of all symptoms. */
export const judged = async (...asked: Parameters<typeof symptomsOf>): Promise<readonly string[]> =>
  (await symptomsOf(...asked)).map(({ bucket }) => bucket);

export const edit = (at: string, keyword: Keyword, value?: Value): Edit =>
  value === undefined ? { at, op: 'remove', keyword } : { at, op: 'set', value, keyword };

export const say = (text: string, more: Readonly<Record<string, Value>> = {}): CallStep => ({
  step: 'call',
  operation: 'send',
  params: {
    message: {
      kind: 'message',
      messageId: `m-${text}`.slice(0, 20),
      role: 'user',
      parts: [{ kind: 'text', text }],
      ...more,
    },
    configuration: { blocking: false },
  },
});
export const plain = say('Hello!');
export const read: CallStep = { step: 'call', operation: 'get', params: { id: 'no-such-task' } };
export const cancel: CallStep = { step: 'call', operation: 'cancel', params: { id: 'no-such-task' } };
export const asked: readonly Step[] = [
  { ...say('tck-input-required'), as: 'a' },
  { step: 'wait', for: 'a' },
];
export const lookAt = (name: string): CallStep => ({
  step: 'call',
  operation: 'get',
  params: { id: { $ref: `${name}.task` } },
});
export const edited = (step: CallStep, ...edits: readonly Edit[]): readonly Step[] => [{ ...step, edits }];
