import { expect, test, vi } from 'vitest';
import { check, type Rule } from '../src/kit/index.js';

// The proof must be able to fail: a deliberately vacuous check, and one that demands too much.

const suite = vi.hoisted(() => ({ rules: [] as Rule[] }));
vi.mock('../suites/index.js', () => suite);

const asking = () =>
  check('task/canary', 'cancel.unknown-refused').when(
    'the client cancels a task that does not exist',
    ({ client, uuid }) => client.call('cancel', { id: uuid() }, { invalid: true }),
  );

const vacuous = asking()
  .expects('be anything at all', () => undefined)
  .killedBy('get-answers-another-id');
const overStrict = asking()
  .expects('be accepted', (outcome) => (outcome.kind === 'result' ? undefined : 'it was not'))
  .killedBy('get-answers-another-id');

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
  expect(problems).toContain('check task/canary is killed by no fault');
  expect(problems).toContain('fault get-answers-another-id survives task/canary, which names it');
});

test('a check that fails the clean agent makes prove exit 1', async () => {
  const { code, said } = await prove(overStrict);
  expect(code).toBe(1);
  const { clean } = JSON.parse(said) as { clean: { fail: readonly string[] } };
  expect(clean.fail).toEqual(['task/canary']);
});
