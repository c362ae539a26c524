import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ProfileId } from '../src/dialect/index.js';
import { jsonFault } from '../src/model/index.js';
import { judgeCard } from './judged-card.js';

// Cards with all that public ones were seen to have wrong, and what is right to say of each: the faults by JSON pointer.

interface Expected {
  readonly card: string;
  readonly version: string;
  readonly pointer: string;
  readonly rule: string;
  readonly level: string;
}

const folders = {
  own: new URL('../fixtures/a2a/cards/', import.meta.url),
  // Public cards, de-identified; kept beside the project, not in it.
  shared: new URL('../../shared/corpus/cards/', import.meta.url),
};

function expectedIn(folder: URL): readonly Expected[] {
  if (!existsSync(folder)) return [];
  const [, ...lines] = readFileSync(new URL('expected.tsv', folder), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [card = '', version = '', pointer = '', rule = '', level = ''] = line.split('\t');
    return { card, version, pointer, rule, level };
  });
}

/** As which version a card is judged, in the words of the list. */
function profileOf(version: string): ProfileId {
  if (/^0\.2\b/.test(version)) return 'a2a-0.2';
  return /^1\.0/.test(version) ? 'a2a-1.0' : 'a2a-0.3';
}

/** The pointer stands there whole: `/url` is not in `/urls`, nor in `/provider/url`. */
function names(reason: string, pointer: string): boolean {
  const marked = reason.replace(/^(?:card|extended card)(?=\/)/, ' ');
  return marked.split(/[\s,;:]+/).includes(pointer);
}

for (const [name, folder] of Object.entries(folders)) {
  const rows = expectedIn(folder);
  const cards = [...new Set(rows.map(({ card }) => card))];

  describe.skipIf(rows.length === 0)(`the ${name} cards`, () => {
    test('are many', () => {
      expect(cards.length).toBeGreaterThan(8);
    });

    test.each(cards)('%s has the faults that are known, and no others', (card) => {
      const known = rows.filter((row) => row.card === card);
      const isJson = existsSync(new URL(`${card}.json`, folder));
      const text = readFileSync(new URL(`${card}.${isJson ? 'json' : 'txt'}`, folder), 'utf8');
      if (known.some(({ rule }) => rule.startsWith('is not JSON'))) {
        expect(jsonFault(text)?.line).toBeGreaterThan(0);
        return;
      }
      const document: unknown = JSON.parse(text);
      const profile = profileOf(known[0]?.version ?? '');
      const failed = judgeCard(profile, document).filter(({ verdict }) => verdict === 'fail');
      const due = known.filter(({ level, pointer }) => /^(MUST|SHOULD)$/.test(level) && pointer.startsWith('/'));
      const unnamed = due.filter(
        ({ level, pointer }) => !failed.some((one) => one.level === level.toLowerCase() && names(one.reason, pointer)),
      );
      expect(unnamed).toEqual([]);
      // A card that is none has no pointers: all required members are missing.
      const isNone = known.some(({ pointer, level }) => pointer === '' && level === 'MUST');
      const wrong = failed.filter(
        ({ level, reason }) =>
          level === 'must' && !isNone && !due.some((row) => row.level === 'MUST' && names(reason, row.pointer)),
      );
      expect(wrong.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([]);
      if (isNone) expect(failed.filter(({ level }) => level === 'must').length).toBeGreaterThan(5);
    });

    const otherwise = rows.filter(({ level }) => level.startsWith('IF-'));
    test.skipIf(otherwise.length === 0).each(otherwise)('$card judged otherwise lacks $pointer', (row) => {
      const profile = row.level.startsWith('IF-1.0') ? 'a2a-1.0' : 'a2a-0.3';
      const document: unknown = JSON.parse(readFileSync(new URL(`${row.card}.json`, folder), 'utf8'));
      const told = judgeCard(profile, document).filter(
        ({ verdict, reason }) => verdict === 'fail' && names(reason, row.pointer),
      );
      expect(told.map(({ level }) => level)).toContain(row.level.replace(/.*:/, '').toLowerCase());
    });
  });
}
