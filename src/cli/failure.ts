import { CommanderError } from 'commander';
import { framesOf, nameOfDefect, TckError, type TckErrorCode } from '../model/tck-error.js';
import type { Terminal } from './terminal.js';

/** Exit codes of failures that are not a verdict. */
const exitCodes: { readonly [Code in TckErrorCode]: number } = {
  usage: 2,
  config: 2,
  unreachable: 3,
  'not-an-agent': 3,
  internal: 70,
};

interface Failure {
  readonly exitCode: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

function describeCommander({ message, exitCode }: CommanderError): Failure {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  // commander ends with 0 for help and version, which are not failures.
  return {
    exitCode: exitCode === 0 ? 0 : 2,
    // The value of an unknown option may be anything: it is hidden.
    message: first.replace(/('-[^'=]*)=[^']*'/, "$1=…'"),
    hint: rest.join(' ').replace(/^\(|\)$/g, '') || undefined,
  };
}

/** Exit code and message for anything that was thrown. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommanderError) return describeCommander(error);
  if (error instanceof TckError) return { exitCode: exitCodes[error.code], message: error.message, hint: error.hint };
  return {
    exitCode: 70,
    message: `the kit itself failed: ${nameOfDefect(error)}`,
    hint: 'this is a defect of a2a-tck, please report it; A2A_TCK_DEBUG=1 shows where',
  };
}

/** Prints what went wrong to stderr, in one line and perhaps a hint. Returns the exit code. */
export async function reportFailure(error: unknown, terminal: Terminal): Promise<number> {
  const { exitCode, message, hint } = describeFailure(error);
  if (exitCode === 0) return 0;
  // Loaded late: only a failing start needs them, for messages that may quote the target.
  const { printable, printableLines } = await import('../wire/text/text.js');
  const { withoutKeys } = await import('../model/without-keys.js');
  const safe = (text: string): string => printable(withoutKeys(text));
  // Only defects of a file of the user have several lines.
  const lines = error instanceof TckError && error.code === 'config' ? message.split('\n').map(safe) : [safe(message)];
  terminal.err(`a2a-tck: ${lines.join('\n  ')}\n${hint === undefined ? '' : `  ${safe(hint)}\n`}`);
  if (terminal.env['A2A_TCK_DEBUG'] === '1' && error instanceof Error && !(error instanceof CommanderError)) {
    terminal.err(`${printableLines(framesOf(error).join('\n'))}\n`);
  }
  return exitCode;
}
