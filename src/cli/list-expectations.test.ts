import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCommandLine } from './command-line.js';

const folder = mkdtempSync(join(tmpdir(), 'a2a-tck-list-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function said(words: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const output = { code: -1, out: '', err: '' };
  const terminal = {
    env: {},
    isTTY: false,
    columns: undefined,
    quit: () => undefined,
    out: (text: string) => {
      output.out += text;
    },
    err: (text: string) => {
      output.err += text;
    },
    onInterrupt: () => () => undefined,
  };
  output.code = await runCommandLine(words, terminal);
  return output;
}

function fileWith(text: string): string {
  const file = join(folder, 'a2a-tck.config.yaml');
  writeFileSync(file, text);
  return file;
}

test('lists what is said and what must hold, and no secret', async () => {
  const config = fileWith(`expect:
  - { name: greets, prompt: Hello OPEN-SESAME-2024, next: [{ text: And now? }], contains: hello, never: OPEN-SESAME-2024, runs: 5, least: 3 }
  - { name: shows, prompt: { parts: [{ kind: text, text: a }, { kind: text, text: b }] }, state: completed }
`);
  const { code, out, err } = await said(['list', 'expectations', '--config', config]);
  expect([code, err + out.replace(/ +$/gm, '')]).toEqual([
    0,
    `greets (5)
  says   Hello [secret-1]
  says   And now?
  holds  the text contains "hello"
  holds  nothing contains the secret
  holds  this holds 3 of 5 times

shows (2)
  says   2 parts
  holds  the state is completed

2 expectations; a run asks them after all checks
`,
  ]);
  const json = await said(['list', 'expectations', '--config', config, '--json']);
  expect(JSON.parse(json.out)).toMatchObject([{ name: 'greets' }, { name: 'shows', prompts: ['2 parts'] }]);
  expect(out + json.out).not.toContain('OPEN-SESAME-2024');
});

test('says where there is none', async () => {
  const none = await said(['list', 'expectations', '--config', fileWith('strict: true\n')]);
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('has no expect')]);
  const noConfig = await said(['list', 'expectations', '--no-config']);
  expect([noConfig.code, noConfig.err]).toEqual([2, expect.stringContaining('no configuration with expect was found')]);
});
