import { expect, it } from 'vitest';
import type { Inspector } from '../src/ledger/schemas.js';
import type { Invalid, Valid } from './samples.js';

// The documents of one schema are one test: there are thousands, and a difference names the document.

/** Cases by the file of their schema. */
export function byFile<T extends Valid>(
  cases: readonly T[],
): readonly (readonly [file: string, cases: readonly T[]])[] {
  const files = [...new Set(cases.map(({ ref }) => ref.split('#')[0] ?? ref))];
  return files.map((file) => [file, cases.filter(({ ref }) => ref.split('#')[0] === file)]);
}

/** What is seen of each case, by its name. */
export const ofEach = <T extends Valid, R>(cases: readonly T[], see: (item: T) => R): Readonly<Record<string, R>> =>
  Object.fromEntries(cases.map((item) => [`${item.ref} ${item.name}`, see(item)]));

/** Tests that the schemas accept what is valid, and file what is not under the rule and the path of the case. */
export function testCases(inspector: Inspector, valid: readonly Valid[], invalid: readonly Invalid[]): void {
  it.each(byFile(valid))('%s accepts what is valid', (_, cases) => {
    const found = ofEach(cases, ({ ref, document }) => inspector.inspect(ref, document).findings);
    expect(found).toEqual(ofEach(cases, () => []));
  });

  it.each(byFile(invalid))('%s files what is invalid', (_, cases) => {
    const filed = ofEach(cases, ({ ref, document, rule, path }) => {
      const { findings, visited } = inspector.inspect(ref, document);
      const paths = findings.map((finding) => finding.path);
      return {
        rules: [...new Set(findings.map((finding) => finding.rule))],
        path: paths.includes(path) ? path : paths,
        isVisited: rule === 'unruled' || visited.has(rule),
      };
    });
    expect(filed).toEqual(ofEach(cases, ({ rule, path }) => ({ rules: [rule], path, isVisited: true })));
  });
}
