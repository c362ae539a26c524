import type { CardChange } from '../../document/index.js';
import { writeWhole } from '../../files/index.js';
import { TckError } from '../../model/tck-error.js';
import { plural, printable } from '../../wire/text/text.js';
import { type Terminal, wantsColour } from '../terminal.js';

export interface UpgradeArguments {
  readonly as?: string;
  readonly profile?: string;
  /** A file with the public key that must have signed the card. */
  readonly key?: string;
  readonly report?: readonly string[];
  readonly json?: boolean;
  readonly strict?: boolean;
  readonly verbose?: boolean;
  /** The version for which the card is written anew. */
  readonly to?: string;
  /** Where the new card goes; left out: stdout. */
  readonly out?: string;
}

const kinds = ['to-do', 'lost', 'changed'] as const;
/** A card may have any number of skills and schemes. */
const mostShown = 200;

function changesText(source: string, changes: readonly CardChange[]): string {
  const sorted = kinds.flatMap((kind) => changes.filter((change) => change.kind === kind));
  const lines = sorted
    .slice(0, mostShown)
    .map(({ kind, pointer, text }) => `${kind.padEnd(8)}${printable(pointer, 200)} ${printable(text, 300)}\n`);
  const more = sorted.length > mostShown ? `and ${sorted.length - mostShown} more\n` : '';
  const counts = kinds.map((kind) => `${changes.filter((change) => change.kind === kind).length} ${kind}`);
  return `${printable(source, 300)}: what 1.0 changes\n\n${lines.join('')}${more}\n${plural(changes.length, 'place')}: ${counts.join(', ')}\n`;
}

/** `--to` makes one card: what is about judging several documents does not go with it. */
function refuseOthers(from: readonly string[], given: UpgradeArguments): void {
  const { to, as, key, profile, json, report } = given;
  if (to === undefined)
    throw new TckError('usage', '--out needs --to 1.0', 'a2a-tck validate card.json --to 1.0 --out new.json');
  if (to !== '1.0')
    throw new TckError('usage', `--to ${to} is not a version for which the kit writes a card`, '--to 1.0');
  const others = { '--as': as, '--key': key, '--profile': profile, '--json': json, '--report': report };
  const [other] = Object.entries(others).filter(([, value]) => value !== undefined && value !== false);
  if (other !== undefined)
    throw new TckError('usage', `--to does not go with ${other[0]}`, 'validate the new card with it');
  if (from.length !== 1) throw new TckError('usage', '--to takes one card', 'write one card at a time');
}

/**
 * Writes a card of 0.2 or 0.3 anew for 1.0, lists what changes, and judges the new card. The list goes to stderr if the
 * card goes to stdout. Returns 0 if the new card has no fault that counts, else 1.
 */
export async function upgradeCommand(
  from: readonly string[],
  given: UpgradeArguments,
  terminal: Terminal,
): Promise<number> {
  refuseOthers(from, given);
  const { out, strict = false, verbose = false } = given;
  const { judgeDocument, mostBytes, upgradeDocument } = await import('../../document/index.js');
  const { readSource, sourcesIn } = await import('../document-source.js');
  const { readIdentity } = await import('../../endpoint/identity.js');
  const { rules } = await import('../../../suites/index.js');
  const { validationText } = await import('../../../reporters/index.js');
  const [each, ...others] = await sourcesIn(from);
  if (each === undefined || others.length > 0)
    throw new TckError('usage', '--to takes one card', 'write one card at a time');
  const read = await readSource(each, 'card', mostBytes);
  const { card, changes } = upgradeDocument(read.bytes, read.source);
  const text = `${JSON.stringify(card, undefined, 2)}\n`;
  const judged = judgeDocument({
    bytes: new TextEncoder().encode(text),
    source: out ?? 'the new card',
    as: 'card',
    profile: 'a2a-1.0',
    strict,
    kit: readIdentity(),
    rules,
  });
  const tell = out === undefined ? terminal.err : terminal.out;
  if (out === undefined) terminal.out(text);
  else writeWhole(out, text, { what: 'the card' });
  tell(`${changesText(read.source, changes)}\n`);
  tell(validationText('console', [judged], { colour: out !== undefined && wantsColour(terminal), verbose, strict }));
  return judged.exitCode === 1 ? 1 : 0;
}
