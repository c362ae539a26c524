import type { DeviceRequest } from '../endpoint/index.js';
import type { Terminal } from './terminal.js';

/** Shows the person at the terminal how the kit gets its token in the device flow of OAuth. */
export const deviceAsker =
  (terminal: Terminal) =>
  ({ url, code, withinMs }: DeviceRequest): void => {
    const minutes = Math.max(1, Math.round(withinMs / 60_000));
    terminal.err(
      `The agent wants a token that you allow: open ${url}\nand enter the code ${code} within ${minutes} min.\n`,
    );
  };
