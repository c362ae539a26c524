import { expect, test } from 'vitest';
import type { Trace } from '../execute/trace.js';
import { doesAlone } from './controls.js';
import type { OracleContext } from './oracle.js';

/** What is said of so many controls, one after the other. */
async function judged(...answers: readonly (boolean | undefined)[]): Promise<readonly boolean[]> {
  const trace: Trace = { case: { dialect: 'a2a-0.3', steps: [] }, sent: [], begun: new Map() };
  const oracleContext = { target: {}, perform: async () => trace } as unknown as OracleContext;
  const said: boolean[] = [];
  for (const item of answers) {
    said.push(
      await doesAlone(
        trace,
        oracleContext,
        'test',
        () => true,
        () => item,
      ),
    );
  }
  return said;
}

test('few agents are asked for what they do not do', async () => {
  expect(await judged(false, true, false, false, true)).toEqual([false, true, false, false, false]);
});

test('a control that tells nothing is not counted', async () => {
  const nothing = Array.from({ length: 9 }, () => undefined);
  expect((await judged(...nothing, true)).at(-1)).toBe(true);
});
