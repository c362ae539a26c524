import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { libraryAnswers } from '../src/cli/library-answers.js';
import { rules } from '../suites/index.js';
import { commandLine } from './terminal.js';

// What libraries answer by themselves stands on a page and in `explain`: the same words, about checks that exist.

test('the page has each row', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/library-answers.md'), 'utf8');
  for (const { request, checks, answers } of libraryAnswers) {
    const shown = Object.entries(answers).map(([library, answer]) => `${library}: ${answer}`);
    expect(page).toContain(`| ${request} | ${checks.map((id) => `\`${id}\``).join(', ')} | ${shown.join('<br>')} |`);
  }
});

test('each names checks that exist', () => {
  const known = new Set(rules.map(({ id }) => id));
  expect(libraryAnswers.flatMap(({ checks }) => checks).filter((id) => !known.has(id))).toEqual([]);
});

test('explain shows them at these checks, and nothing at others', async () => {
  const { out } = await commandLine(['explain', 'grpc/other-content-type']);
  expect(out).toContain(
    'Often a library answers, not the code of the agent (docs/library-answers.md)\n  To a call with',
  );
  expect(out).toContain('    grpc-go: HTTP 415\n');
  expect((await commandLine(['explain', 'task/cancel-terminal-refused'])).out).not.toContain('Often a library');
});
