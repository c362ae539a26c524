import { estimateText } from '../../reporters/index.js';
import { runTarget } from '../isolation/index.js';
import type { RunEvent } from '../report/index.js';
import { plural, printable } from '../wire/index.js';
import { interruptible } from './interruption.js';
import type { Settings } from './settings.js';
import type { Terminal } from './terminal.js';

/** Asks the agent what it is, judges nothing, and says what a run would cost. Returns 0. */
export function dryRun(url: string, settings: Settings, terminal: Terminal): Promise<number> {
  let detected: Extract<RunEvent, { type: 'target.detected' }> | undefined;
  const onEvent = (event: RunEvent): void => {
    if (event.type === 'target.detected') detected = event;
  };
  return interruptible(
    terminal,
    async (signal) => {
      await runTarget({ ...settings.target, url, signal, onEvent });
      if (detected === undefined) return 3;
      const { target, checks, estimate } = detected;
      const columns = terminal.isTTY ? (terminal.columns ?? 80) : undefined;
      const cost = estimate === undefined ? '' : `${estimateText(estimate, columns)}\n`;
      terminal.out(
        `a dry run of ${plural(checks, 'check')} of ${printable(target.profile, 40)}: nothing was judged\n${cost}`,
      );
      return 0;
    },
    () => undefined,
  );
}
