import { jsonText } from '../../../reporters/index.js';
import { differenceText } from '../difference-text.js';
import { type Terminal, wantsColour } from '../terminal.js';

/** Shows what changed from one stored run to the next. Returns 0 if nothing got worse, else 1. */
export async function diffCommand(
  files: readonly [string, string],
  { json = false }: { readonly json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const { readStored } = await import('../stored-report.js');
  const [before, after] = [await readStored(files[0]), await readStored(files[1])];
  const { difference } = await import('../../report/index.js');
  const found = difference(before.report, after.report);
  const output = json
    ? `${jsonText({ schema: 'a2a-tck-diff/1', ...found }, 2)}\n`
    : differenceText(found, wantsColour(terminal));
  terminal.out(output);
  return found.isWorse ? 1 : 0;
}
