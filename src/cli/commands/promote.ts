import { TckError } from '../../model/tck-error.js';
import type { Terminal } from '../terminal.js';

export interface PromoteArguments {
  readonly as: string;
  readonly into?: string;
}

/** Keeps a finding as a case of its own: `fuzz --corpus` begins with it, `fuzz --replay` shows whether it is back. */
export async function promoteCommand(
  file: string,
  { as: name, into = 'a2a-tck-regressions' }: PromoteArguments,
  terminal: Terminal,
): Promise<number> {
  if (!/^[a-z0-9][a-z0-9._-]{0,99}$/i.test(name)) {
    throw new TckError(
      'usage',
      `--as ${name} is not a name`,
      'take letters, digits, dots and dashes: --as long-task-id',
    );
  }
  const { readCases, writeCase } = await import('../case-folder.js');
  const found = await readCases(file);
  const [stored] = found;
  if (stored === undefined || found.length > 1 || stored.bucket === undefined) {
    throw new TckError('usage', `${file} is not a finding`, 'take one that a2a-tck fuzz --out has written');
  }
  const path = writeCase(into, name, stored.document);
  terminal.out(`${path}\nTo check that it does not come back: a2a-tck fuzz --url <url> --replay ${into}\n`);
  return 0;
}
