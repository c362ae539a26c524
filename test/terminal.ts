import { runCommandLine } from '../src/cli/command-line.js';
import type { Terminal } from '../src/cli/terminal.js';

/** A terminal that nobody looks at: keeps what was said. */
export function silentTerminal(): Terminal & { said(): string } {
  let said = '';
  return {
    out: (text) => {
      said += text;
    },
    err: () => undefined,
    env: {},
    isTTY: false,
    columns: undefined,
    onInterrupt: () => () => undefined,
    quit: () => undefined,
    said: () => said,
  };
}

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A command as it is typed. */
export async function commandLine(args: readonly string[], env: Terminal['env'] = {}): Promise<Ended> {
  let err = '';
  const terminal = {
    ...silentTerminal(),
    env,
    err: (text: string) => {
      err += text;
    },
  };
  const code = await runCommandLine(args, terminal);
  return { code, out: terminal.said(), err };
}
