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
