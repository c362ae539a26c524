import { expect, test } from 'vitest';
import { runCommandLine } from './command-line.js';

/** What a command says of an option that it does not know, and of `--no-config`. */
async function said(words: readonly string[]): Promise<string> {
  let text = '';
  const add = (more: string): void => {
    text += more;
  };
  const terminal = { env: {}, isTTY: false, columns: undefined, quit: () => undefined };
  await runCommandLine(words, { ...terminal, out: add, err: add, onInterrupt: () => () => undefined });
  return text;
}

/** Options without which a command reads no others. */
const needed: Readonly<Record<string, string>> = { promote: '--as', verify: '--key', keygen: '--out', fleet: '--out' };

test('every command takes --no-config, and no option that does not exist', async () => {
  const help = await said(['--help']);
  const commands = [...help.matchAll(/^ {2}([a-z]+) .*$/gm)].flatMap(([, name = '']) =>
    name === 'help' ? [] : [name],
  );
  expect(commands).toEqual(expect.arrayContaining(['run', 'validate', 'call', 'explain', 'report', 'init', 'fleet']));
  for (const name of commands) {
    const must = needed[name] === undefined ? [] : [needed[name], 'x'];
    // The first unknown option is named.
    expect([name, await said([name, ...must, '--no-config', '--no-such'])]).toEqual([
      name,
      expect.stringContaining("unknown option '--no-such'"),
    ]);
  }
});
