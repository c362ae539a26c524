/** A command's access to the process around it. Tests pass their own. */
export interface Terminal {
  /** To stdout. Does nothing once the reader is gone. */
  out(text: string): void;
  /** To stderr. */
  err(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** stdout is a terminal. */
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  /** Calls `then` on each Ctrl-C or other signal to end. Returns a function that removes the callback. */
  onInterrupt(then: () => void): () => void;
  /** Ends the process at once. */
  quit(code: number): void;
}

/** A terminal without a screen: it keeps what the kit says. */
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

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** The terminal of a process, where output can get lost. */
export interface ProcessTerminal extends Terminal {
  /** Why stdout could not be written, such as "ENOSPC"; undefined if it could, or if the reader went away. */
  lost(): string | undefined;
}

export function processTerminal(): ProcessTerminal {
  const open = { stdout: true, stderr: true };
  let lost: string | undefined;
  // A reader that goes away (`| head`) ends the output, not the run: reports may still have to be written.
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].on('error', (error: NodeJS.ErrnoException) => {
      open[name] = false;
      if (name === 'stdout' && error.code !== 'EPIPE') lost ??= error.code ?? error.message;
    });
  }
  const write = (name: keyof typeof open) => (text: string) => {
    if (open[name] && text !== '') process[name].write(text);
  };
  return {
    out: write('stdout'),
    err: write('stderr'),
    env: process.env,
    isTTY: process.stdout.isTTY === true,
    // Some pseudo terminals say 0.
    columns: process.stdout.columns || undefined,
    onInterrupt(then) {
      for (const signal of signals) process.on(signal, then);
      return () => {
        for (const signal of signals) process.off(signal, then);
      };
    },
    quit: (code) => process.exit(code),
    lost: () => lost,
  };
}

const isSet = (value: string | undefined): boolean => value !== undefined && value !== '';

/** https://no-color.org, and `FORCE_COLOR` as Node has it. */
export function wantsColour({ env, isTTY }: Terminal): boolean {
  if (isSet(env['NO_COLOR'])) return false;
  if (isSet(env['FORCE_COLOR'])) return env['FORCE_COLOR'] !== '0' && env['FORCE_COLOR'] !== 'false';
  return isTTY && env['TERM'] !== 'dumb';
}

/** Whether to show a live line, which is rewritten in place: on a terminal, but not in a log of CI. */
export const wantsLiveLine = ({ env, isTTY }: Terminal): boolean =>
  isTTY && !isSet(env['CI']) && env['TERM'] !== 'dumb';
