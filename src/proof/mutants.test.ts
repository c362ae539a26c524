import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Dialect, dialectById } from '../dialect/index.js';
import { drop, type Law, law, member } from '../kit/index.js';
import { idleChanges, prove } from './prove.js';

// A law is proven by a change to a recorded answer by which it fails; one that cannot fail is not.

const dialect = dialectById('a2a-0.3') as Dialect;
const options = { otherwise: 'no card came', advice: 'Do so.' };
const cardIn = ({ documents }: Parameters<Law['judge']>[0]): unknown =>
  documents.find(({ of }) => of === 'card')?.value;

const named = law('card/named', 'card.name', 'have a name', options, (reading) => {
  const card = cardIn(reading);
  if (card === undefined) return 'not-concerned';
  return typeof member(card, 'name') === 'string' ? 'holds' : 'it has none';
});
const vacuous = law('card/vacuous', 'card.name', 'be there', options, (reading) =>
  cardIn(reading) === undefined ? 'not-concerned' : 'holds',
);
/** It holds nowhere: only what it lists beside itself shows that it can fail. */
const forbidding = law('card/odd', 'card.name', 'have no odd url', options, (reading) => {
  const card = cardIn(reading);
  return card !== undefined && member(card, 'url') === undefined ? 'the url is missing' : 'not-concerned';
});

async function proven(rules: readonly Law[], stored?: string) {
  const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-mutants-'));
  if (stored !== undefined)
    writeFileSync(
      join(folder, 'a2a-0.3.txt'),
      `# x\n\n## Laws: a change to a recorded answer by which each fails\n\n${stored}\n`,
    );
  const proof = await prove({ dialect, rules, faults: [], variants: [], impostors: [], stored: folder });
  rmSync(folder, { recursive: true });
  return { laws: proof.laws, problems: proof.problems, listed: proof.listed ?? {} };
}

test('a law that fails by a change of a recorded answer is proven, and one that cannot fail is not', async () => {
  expect(await proven([named, vacuous])).toMatchObject({
    laws: [{ law: 'card/named', agent: 'clean', change: expect.stringMatching(/^card \/name/) }],
    problems: ['check card/vacuous is killed by no fault that breaks what it decides'],
  });
});

test('a law that no longer fails by what it failed by is a problem', async () => {
  const { problems } = await proven([vacuous], 'card/vacuous: clean, card /name: missing');
  expect(problems).toContain(
    'law card/vacuous holds on an answer of clean by which it failed in the stored proof: card /name: missing',
  );
  expect(await proven([named], 'card/named: clean, card /name: missing')).toMatchObject({
    laws: [{ law: 'card/named', agent: 'clean', change: 'card /name: missing' }],
    problems: [],
  });
});

test('a law that holds on no answer is proven by the changes that it lists', async () => {
  expect((await proven([forbidding])).laws).toEqual([]);
  expect(await proven([forbidding.mutants(drop('url'))])).toMatchObject({
    laws: [{ law: 'card/odd', agent: 'clean', change: 'card /url: drop url' }],
    problems: [],
  });
});

test('a listed change by which the law never fails is reported, and so is one that the law cannot judge', async () => {
  const first = await proven([named.mutants(drop('name'), drop('version'))]);
  expect(idleChanges([first])).toEqual([
    'change 2 of law card/named (drop version) makes it fail on no recorded answer',
  ]);
  // In the answers of another profile it shows what it is for.
  const [idle = ''] = Object.entries(first.listed).flatMap(([name, kills]) => (kills ? [] : [name]));
  expect(idleChanges([first, { listed: { [idle]: true } }])).toEqual([]);
  const throwing = law('card/throws', 'card.name', 'have a name', options, (reading) => {
    const card = cardIn(reading);
    if (card === undefined) return 'not-concerned';
    if (typeof member(card, 'name') !== 'string') throw new Error('no name to judge');
    return 'holds';
  });
  const thrown = await proven([throwing.mutants(drop('name'))]);
  expect(thrown.problems).toEqual(['check card/throws is killed by no fault that breaks what it decides']);
  expect(idleChanges([thrown])).toEqual([
    'change 1 of law card/throws (drop name) makes it fail on no recorded answer',
  ]);
});
