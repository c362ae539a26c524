import { runCommandLine } from '../src/cli/command-line.js';
import { silentTerminal, type Terminal } from '../src/cli/terminal.js';

export { silentTerminal };

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Where a command is typed. */
interface Place {
  readonly cwd?: string;
  /** The home folder of the user. */
  readonly home?: string;
}

/** Goes to a place; returns the way back. */
function goTo({ cwd, home }: Place): () => void {
  const before = { cwd: process.cwd(), home: process.env['HOME'] };
  if (cwd !== undefined) process.chdir(cwd);
  if (home !== undefined) process.env['HOME'] = home;
  return () => {
    if (cwd !== undefined) process.chdir(before.cwd);
    if (home === undefined) return;
    if (before.home === undefined) delete process.env['HOME'];
    else process.env['HOME'] = before.home;
  };
}

/** A command as a user types it. A process has one folder and one home: with a place, one command after the other. */
export async function commandLine(
  args: readonly string[],
  env: Terminal['env'] = {},
  place: Place = {},
): Promise<Ended> {
  let err = '';
  const terminal = {
    ...silentTerminal(),
    env,
    err: (text: string) => {
      err += text;
    },
  };
  const comeBack = goTo(place);
  try {
    const code = await runCommandLine(args, terminal);
    return { code, out: terminal.said(), err };
  } finally {
    comeBack();
  }
}
