import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkMatrix, type FaultProof, matrixText, type Proof, pairOf, writeMatrix } from './index.js';

const fault = (id: string, kills: readonly string[], isVoid = false): FaultProof => ({
  id,
  kills,
  expected: kills,
  void: isVoid,
});

const ids = ['task/a', 'task/b'];

function proofOf(faults: readonly FaultProof[], skipped: readonly string[] = []): Proof {
  const checks = ids.map((id) => ({
    id,
    killedBy: faults.filter(({ kills }) => kills.includes(id)).map((fault) => fault.id),
  }));
  const agents = ['odd', 'echo', ...faults.map(({ id }) => id)];
  const pairs = new Set(agents.flatMap((agent) => ids.map((check) => pairOf(check, agent))));
  return {
    profile: 'a2a-0.3',
    clean: { fail: [], error: [], pass: [] },
    faults,
    variants: [{ id: 'odd', fail: [] }],
    impostors: [{ id: 'echo', pass: ['task/a'] }],
    checks,
    laws: [{ law: 'task/b', agent: 'clean', change: 'get /result/id: missing' }],
    skipped,
    ...(skipped.length === 0 ? {} : { pairs }),
    problems: [],
    cells: 0,
    durationMs: 0,
  };
}

const both = fault('both', ['task/b', 'task/a']);
const faultProof = fault('one', ['task/b']);
const none = fault('none', [], true);

describe('the kill matrix', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'a2a-tck-matrix-'));
    writeMatrix(proofOf([faultProof, both, none]), folder);
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const file = () => join(folder, 'a2a-0.3.txt');
  const change = (from: string, to: string) => {
    const text = readFileSync(file(), 'utf8');
    expect(text).toContain(from);
    writeFileSync(file(), text.replace(from, to));
  };

  test('takes what a quick proof measured, and keeps the pairs that did not run', () => {
    const before = proofOf([faultProof, both, none, fault('gone', ['task/a'])]);
    writeMatrix(before, folder);
    const quick = proofOf([fault('both', ['task/a']), fault('new', ['task/a'])], ['one', 'none']);
    const pairs = new Set([pairOf('task/a', 'both'), pairOf('task/a', 'new'), pairOf('task/a', 'odd')]);
    writeMatrix({ ...quick, pairs, variants: [{ id: 'odd', fail: ['task/a'] }], laws: [] }, folder);
    expect(readFileSync(file(), 'utf8')).toBe(
      matrixText({
        ...proofOf([faultProof, both, none, fault('new', ['task/a'])]),
        variants: [{ id: 'odd', fail: ['task/a'] }],
      }),
    );
    writeMatrix({ ...quick, pairs: new Set([pairOf('task/b', 'both'), pairOf('task/b', 'odd')]) }, folder);
    expect(readFileSync(file(), 'utf8')).not.toContain('both:\n  - task/a\n  - task/b');
  });

  test('has a kill a line, sorted', () => {
    expect(matrixText(proofOf([faultProof, both, none]))).toMatchInlineSnapshot(`
      "# Kill matrix of a2a-0.3. Made by npm run prove; every line is a measured verdict.

      ## Faults: the checks that fail on each

      both:
        - task/a
        - task/b

      none (VOID): none

      one:
        - task/b

      ## Conforming variants: what fails on each

      odd: none

      ## Impostors: what passes on each

      echo:
        - task/a

      ## Laws: a change to a recorded answer by which each fails

      task/b: clean, get /result/id: missing
      "
    `);
  });

  test('is what was stored', () => {
    expect(checkMatrix(proofOf([faultProof, both, none]), folder)).toEqual([]);
    expect(checkMatrix(proofOf([faultProof, none]), folder)).toContain(
      '- Faults: the checks that fail on each: both: task/a',
    );
  });

  test.each([
    { played: [both, none], skipped: ['one'] },
    { played: [faultProof], skipped: ['both', 'none'] },
    { played: [], skipped: ['both', 'none', 'one'] },
  ])('is compared without $skipped', ({ played, skipped }) => {
    expect(checkMatrix(proofOf(played, skipped), folder)).toEqual([]);
  });

  test('with faults left out is compared in all that was measured', () => {
    const part = () => checkMatrix(proofOf([both], ['one', 'none']), folder);
    change('one:\n  - task/b', 'one:\n  - task/a');
    expect(part()).toEqual([]);
    change('both:\n  - task/a\n', 'both:\n');
    expect(part()).toContain('+ Faults: the checks that fail on each: both: task/a');
  });

  test('is compared without what a check was not set on', () => {
    const part = {
      ...proofOf([faultProof, fault('both', ['task/b']), none], ['left']),
      pairs: new Set([pairOf('task/b', 'both')]),
    };
    expect(checkMatrix(part, folder)).toEqual([]);
    change('both:\n  - task/a\n  - task/b', 'both:\n  - task/a');
    expect(checkMatrix(part, folder)).toContain('+ Faults: the checks that fail on each: both: task/b');
  });

  test.each([
    ['a kill', 'both:\n  - task/a\n', 'both:\n', '+ Faults: the checks that fail on each: both: task/a'],
    [
      'a failure of a variant',
      'odd: none',
      'odd:\n  - task/a',
      '- Conforming variants: what fails on each: odd: task/a',
    ],
    ['a pass of an impostor', 'echo:\n  - task/a', 'echo: none', '+ Impostors: what passes on each: echo: task/a'],
    ['a mark', 'none (VOID): none', 'none: none', '+ Faults: the checks that fail on each: none (VOID)'],
    [
      'a line of nobody',
      'odd: none',
      'odd: none\n\nwhat is this',
      '- Conforming variants: what fails on each: what is this',
    ],
  ])('with faults left out differs by %s', (_, from, to, line) => {
    change(from, to);
    expect(checkMatrix(proofOf([both, none], ['one']), folder)).toContain(line);
  });

  test('that is not there is a difference', () => {
    rmSync(file());
    expect(checkMatrix(proofOf([both], ['one']), folder)).toEqual([expect.stringContaining('does not exist')]);
  });
});
