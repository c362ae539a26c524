import { expect, test } from 'vitest';
import { dialectById } from '../src/dialect/index.js';
import type { Step } from '../src/fuzz/case/case.js';
import { createDictionary } from '../src/fuzz/generate/dictionary.js';
import { createGeneratorContext } from '../src/fuzz/generate/generator-context.js';
import { createRandomSource } from '../src/fuzz/generate/random-source.js';
import type { Patch } from '../src/reference/index.js';
import { type Carrier, sleep } from '../src/wire/index.js';
import { labOn, type Profile, say } from './fuzz-judged.js';

// Requests that grow in one field, and what the oracle of cost says of agents that are slow, rightly and wrongly.

/** Each call takes so many milliseconds; `turn`: how many were answered before. */
const taking =
  (msOf: (bytes: number, turn: number) => number): Patch =>
  (inner, { clock }) => {
    let turn = 0;
    return {
      async serveRpc(request) {
        await sleep(clock, msOf(request.body?.length ?? 0, turn++), request.signal);
        return inner.serveRpc(request);
      },
    };
  };
/** From 0 to 1, with no order to be seen. */
const noise = (turn: number): number => (Math.imul(turn + 1, 0x9e3779b1) >>> 8) / 2 ** 24;

async function costsOn(profile: Profile, ...patches: readonly Patch[]): Promise<readonly string[]> {
  const { stage, runner } = await labOn(profile, patches);
  const { card } = stage.target;
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error(profile);
  const dictionary = createDictionary({ card, behaviours: {} });
  const { ladders } = createGeneratorContext({ dialect, card, dictionary, readOnly: false, rawSocket: false });
  const randomSource = createRandomSource(1);
  const found: string[] = [];
  for (const [at, ladder] of ladders.entries()) {
    const steps: readonly Step[] | undefined = ladder(randomSource);
    if (steps === undefined) continue;
    const { symptoms, fault } = await runner.examine({ dialect: profile, steps }, at + 1);
    expect(fault).toBeUndefined();
    found.push(...symptoms.map(({ bucket }) => bucket).filter((bucket) => bucket.startsWith('cost/')));
  }
  expect(ladders.length).toBeGreaterThan(15);
  return found;
}

const slow = {
  'takes as long as the request is, with noise': taking((bytes, turn) => (bytes / 40) * (0.6 + 0.8 * noise(turn))),
  'is slow from the first byte': taking((_, turn) => 3000 + 2000 * noise(turn)),
  'takes requests in by blocks': taking((bytes) => 400 * Math.ceil(bytes / 16_384)),
  'is busy now and then': taking((_, turn) => (noise(turn) > 0.8 ? 1500 : 10)),
};
const profiles: readonly Profile[] = ['a2a-0.3', 'a2a-1.0'];
test.each(
  profiles.flatMap((profile) => Object.entries(slow).map(([about, patch]) => [profile, about, patch] as const)),
)('%s: nothing is said of an agent that %s', async (profile, _, patch) =>
  expect(await costsOn(profile, patch)).toEqual([]),
);

test('an agent whose work grows with the square of one field is found', async () => {
  const square = taking((bytes) => 100 + (bytes / 350) ** 2);
  expect(await costsOn('a2a-0.3', square)).toContain('cost/send /params/message/parts/N/text');
});

test('what is never answered is not waited for again and again while a later request is measured', async () => {
  const silenced = 'a'.repeat(8000);
  let waits = 0;
  const counted =
    (agent: Carrier): Carrier =>
    (request, signal) => {
      if (Buffer.from(request.body ?? []).includes(silenced)) waits++;
      return agent(request, signal);
    };
  const square = taking((bytes) => bytes ** 2 / 5000);
  const { runner } = await labOn('a2a-0.3', [square], undefined, counted);
  const steps = [say(silenced), say('b'.repeat(16_000))];
  const { symptoms } = await runner.examine({ dialect: 'a2a-0.3', steps }, 1);
  expect(symptoms.map(({ bucket }) => bucket)).toContain('cost/send /params/message/parts/N/text');
  expect(waits).toBeLessThan(4);
});

test('a message that is slow for what it is about does not grow by its members', async () => {
  const waits: Patch = (inner, { clock }) => ({
    async serveRpc(request) {
      const text = Buffer.from(request.body ?? []).toString();
      await sleep(clock, text.includes('"taskId"') ? 5000 : text.includes('"parts"') ? 16 : 0, request.signal);
      return inner.serveRpc(request);
    },
  });
  const { runner } = await labOn('a2a-0.3', [waits]);
  const more = { contextId: { $ref: 'a.context' }, taskId: { $ref: 'a.task' }, extensions: [], metadata: {} };
  const steps: readonly Step[] = [{ ...say('tck-cancel'), as: 'a' }, say('Hello!', more)];
  const { symptoms, fault } = await runner.examine({ dialect: 'a2a-0.3', steps }, 1);
  expect(fault).toBeUndefined();
  expect(symptoms.map(({ bucket }) => bucket)).toEqual([]);
});
