import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { judgeDocument } from '../src/document/index.js';
import type { Validation } from '../src/report/index.js';
import { rules } from '../suites/index.js';

// Cards with all that public ones were seen to have wrong, and what is right to say of each: the version as which it is
// judged, and the faults by JSON pointer.

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
function profileOf(version: string): string {
  if (/^0\.2\b/.test(version)) return 'a2a-0.2';
  return /^1\.0/.test(version) ? 'a2a-1.0' : 'a2a-0.3';
}

function judged(folder: URL, card: string, profile?: string): Validation {
  const isJson = existsSync(new URL(`${card}.json`, folder));
  const source = `${card}.${isJson ? 'json' : 'txt'}`;
  const bytes = readFileSync(new URL(source, folder));
  return judgeDocument({ bytes, source, profile, kit: { name: 'a2a-tck', version: '0' }, rules });
}

/** Faults that these cards share; each has a fix of its own, and no advice for another one. */
const commonFixes: readonly (readonly [pointer: RegExp, problem: RegExp, fix: RegExp])[] = [
  [/^\/preferredTransport$/, /missing/, /"preferredTransport": "JSONRPC"/],
  [/^\/protocolVersion$/, /missing/, /"protocolVersion": "0\.\d/],
  [/^\/default(Input|Output)Modes$/, /missing/, /"default(Input|Output)Modes": \["text\/plain"\]/],
  [/^\/capabilities$/, /is array/, /object of flags.*skills/],
  [/^\/capabilities$/, /missing/, /"capabilities": \{/],
  [/Modes\/\d+$/, /media type/, /Write (".+\/.+"|a media type)/],
  [/^\/skills\/\d+\/tags$/, /missing/, /"tags": \[/],
  [/^\/skills\/\d+$/, /must be object/, /an object for each skill/],
  [/^\/provider\/organization$/, /missing/, /organization/],
  [/^\/supportedInterfaces$/, /missing/, /form of 0\.3|supportedInterfaces/],
  [/^\/supportedInterfaces\/\d+\/protocolBinding$/, /missing/, /protocolBinding/],
  [/^\/(url|security|protocolVersion|additionalInterfaces)$/, /member of 0\.3/, /Since 1\.0 this is/],
];

for (const [name, folder] of Object.entries(folders)) {
  const rows = expectedIn(folder);
  const cards = [...new Set(rows.map(({ card }) => card))];

  describe.skipIf(rows.length === 0)(`the ${name} cards`, () => {
    test('are many', () => {
      expect(cards.length).toBeGreaterThan(8);
    });

    test.each(cards)('%s has the faults that are known, and no others', (card) => {
      const known = rows.filter((row) => row.card === card);
      const { document, faults, passed } = judged(folder, card);
      if (known.some(({ rule }) => rule.startsWith('is not JSON'))) {
        expect(faults.map(({ level, problem }) => [level, /^is not JSON/.test(problem)])).toEqual([['must', true]]);
        expect(faults[0]?.line).toBeGreaterThan(0);
        return;
      }
      expect([document.kind, document.profile]).toEqual(['card', profileOf(known[0]?.version ?? '')]);
      const due = known.filter(({ level, pointer }) => /^(MUST|SHOULD)$/.test(level) && pointer.startsWith('/'));
      const unnamed = due.filter(
        ({ level, pointer }) =>
          !faults.some((fault) => fault.level === level.toLowerCase() && fault.pointer === pointer),
      );
      expect(unnamed).toEqual([]);
      // A card that is none has no pointers: all required members are missing.
      const isNone = known.some(({ pointer, level }) => pointer === '' && level === 'MUST');
      const musts = faults.filter(({ level }) => level === 'must');
      const wrong = musts.filter(
        ({ pointer }) => !isNone && !due.some((row) => row.level === 'MUST' && row.pointer === pointer),
      );
      expect(wrong.map(({ check, pointer, problem }) => `${check}: ${pointer} ${problem}`)).toEqual([]);
      if (isNone) expect(musts.length).toBeGreaterThan(5);
      expect(passed).toBe(musts.length === 0);
    });

    test.each(cards)('%s: each fault has its sentence, its link and its place, and common ones their fix', (card) => {
      const { faults } = judged(folder, card);
      for (const { pointer, problem, statement, link, line, column, fix = '' } of faults) {
        expect([pointer, statement], problem).not.toContain(undefined);
        expect(link).toMatch(/^https:\/\/(a2a-protocol\.org\/v[\d.]+\/specification\/#\w|www\.rfc-editor\.org\/rfc\/)/);
        expect(Math.min(line, column)).toBeGreaterThan(0);
        const [, , wanted] = commonFixes.find(([at, what]) => at.test(pointer) && what.test(problem)) ?? [];
        if (wanted !== undefined) expect(fix, `${pointer} ${problem}`).toMatch(wanted);
      }
    });

    const otherwise = rows.filter(({ level }) => level.startsWith('IF-'));
    test.skipIf(otherwise.length === 0).each(otherwise)('$card judged otherwise lacks $pointer', (row) => {
      const profile = row.level.startsWith('IF-1.0') ? 'a2a-1.0' : 'a2a-0.3';
      const atPointer = judged(folder, row.card, profile).faults.filter(({ pointer }) => pointer === row.pointer);
      expect(atPointer.map(({ level }) => level)).toContain(row.level.replace(/.*:/, '').toLowerCase());
    });
  });
}
