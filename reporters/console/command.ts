import { printable } from '../../src/wire/index.js';
import type { ReportContext } from '../reporter.js';

/** Characters of a command with --verbose, and where nothing is wrapped. */
const longest = 4000;
/** Characters of a command on a terminal: seven rows of eighty. Most requests to send a message fit. */
const longestOnScreen = 520;

/**
 * A command to copy. A shortened one would be another command, so one that is too long is not shown: there stands where
 * it is.
 *
 * @param stored where a longer one than any screen should show stands
 */
export function commandText(command: string, stored: string, { verbose, columns }: ReportContext): string {
  if (command.length > longest) return `too long to show (${command.length} characters); ${printable(stored)}`;
  if (!verbose && columns !== undefined && command.length > longestOnScreen) {
    return `a command of ${command.length} characters, which --verbose shows`;
  }
  return printable(command, longest * 4);
}
