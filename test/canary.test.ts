import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { type Dialect, dialectById } from '../src/dialect/index.js';
import { check, type Rule } from '../src/kit/index.js';
import type { Impostor } from '../src/reference/index.js';

// The proof must be able to fail: a deliberately vacuous check, and one that demands too much.

const a2a03 = dialectById('a2a-0.3') as Dialect;
const suite = vi.hoisted(() => ({ rules: [] as Rule[] }));
vi.mock('../suites/index.js', () => suite);

const asking = () =>
  check('task/canary', 'cancel.unknown-refused').when(
    'the client cancels a task that does not exist',
    ({ client, uuid }) => client.call('cancel', { id: uuid() }, { invalid: true }),
  );

const vacuous = asking()
  .expects('answer in any way', () => undefined)
  .advice('Do so.');
const overStrict = asking()
  .expects('accept the call', (outcome) => (outcome.kind === 'result' ? undefined : 'it was not'))
  .advice('Do so.');

async function prove(rule: Rule): Promise<{ readonly code: number; readonly said: string }> {
  suite.rules.splice(0, suite.rules.length, rule);
  const { proveCommand } = await import('../src/cli/commands/prove.js');
  const { silentTerminal } = await import('./terminal.js');
  const terminal = silentTerminal();
  const code = await proveCommand({ profile: 'a2a-0.3', json: true }, terminal);
  return { code, said: terminal.said() };
}

test('a check that cannot fail makes prove exit 1', async () => {
  const { code, said } = await prove(vacuous);
  expect(code).toBe(1);
  const { problems } = JSON.parse(said) as { problems: readonly string[] };
  expect(problems).toContain('check task/canary is killed by no fault that breaks what it decides');
  expect(problems).toContain('fault cancel-unknown-answers-task is killed by no check of what it breaks');
});

test('a check that only faults that were played before prove is not a problem, and one that none of them proves is', async () => {
  const { pairOf, prove } = await import('../src/proof/index.js');
  const { faults } = await import('../fixtures/faults/index.js');
  const chosen = faults.filter(({ id }) => id === 'cancel-unknown-answers-task' || id === 'cancel-accepts-terminal');
  const problemsOf = async (played: readonly string[]) => {
    const cast = { dialect: a2a03, rules: [vacuous], faults: chosen, variants: [], impostors: [] };
    const { problems, skipped } = await prove({
      ...cast,
      played: new Set(played.map((fault) => pairOf(vacuous.id, fault))),
    });
    return { skipped, problems: problems.filter((problem) => problem.startsWith('check ')) };
  };
  // The other one breaks nothing that the check decides.
  expect(await problemsOf(['cancel-unknown-answers-task'])).toEqual({
    skipped: expect.arrayContaining(chosen.map(({ id }) => id)),
    problems: [],
  });
  expect(await problemsOf(['cancel-accepts-terminal', 'of another profile'])).toEqual({
    skipped: ['cancel-accepts-terminal'],
    problems: ['check task/canary is killed by no fault that breaks what it decides'],
  });
});

test('a check that no longer catches what it caught is a problem, also where a quick proof leaves faults out', async () => {
  const { prove } = await import('../src/proof/index.js');
  const { faults } = await import('../fixtures/faults/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-canary-'));
  // Of two faults of its sentence it caught one, so that a quick proof plays this one alone.
  const [caught, missed] = ['cancel-unknown-answers-task', 'cancel-unknown-answers-null'];
  const stored = `${caught}:\n  - ${vacuous.id}\n\n${missed}: none\n`;
  writeFileSync(join(folder, 'a2a-0.3.txt'), `# x\n\n## Faults: the checks that fail on each\n\n${stored}`);
  const chosen = faults.filter(({ id }) => id === caught || id === missed);
  expect(chosen).toHaveLength(2);
  const cast = { dialect: a2a03, rules: [vacuous], faults: chosen, variants: [], impostors: [], stored: folder };
  const { problems, skipped } = await prove({ ...cast, played: new Set<string>() });
  rmSync(folder, { recursive: true });
  expect(skipped).toEqual([missed]);
  expect(problems).toContain(`fault ${caught} survives ${vacuous.id}, which caught it in the stored proof`);
  expect(problems).toContain(`check ${vacuous.id} is killed by no fault that breaks what it decides`);
});

test('an impostor that passes is a problem, and so is one that is green', async () => {
  const { prove } = await import('../src/proof/index.js');
  const { createAgent } = await import('../src/reference/index.js');
  const carrier: Impostor['carrier'] = (context) => createAgent(context).handle;
  const agent = { id: 'agent', about: 'No impostor at all.', carrier };
  const cast = { dialect: a2a03, rules: [vacuous], faults: [], variants: [], impostors: [agent] };
  const { problems } = await prove(cast);
  expect(problems.filter((problem) => problem.startsWith('impostor'))).toEqual([
    'impostor agent passes task/canary',
    'impostor agent passes the gate',
  ]);
});

test('a check that fails the clean agent makes prove exit 1', async () => {
  const { code, said } = await prove(overStrict);
  expect(code).toBe(1);
  const { clean } = JSON.parse(said) as { clean: { fail: readonly string[] } };
  expect(clean.fail).toEqual(['task/canary']);
});
