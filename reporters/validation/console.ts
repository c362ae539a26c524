import type { DocumentFault, DocumentPlace, Validation } from '../../src/report/index.js';
import { excerpt, plural, printable, wrap } from '../../src/wire/index.js';
import { type Paint, paintWith } from '../console/paint.js';
import { countText, type FaultGroup, factOf, groupsOf } from './groups.js';

export interface ConsoleManner {
  readonly colour: boolean;
  readonly columns?: number;
  /** Also every SHOULD in full, and every check that passed. */
  readonly verbose: boolean;
}

const margin = 8;
const labelled = margin + 10;
/** Groups of faults that are shown; the JSON has all. */
const mostGroups = 40;
const mostPlaces = 8;

const styles = { must: 'red', should: 'yellow' } as const;

const placeOf = ({ line, column }: DocumentPlace): string => `${line}:${column}`;

/** "card.json:46:5, also 110:5 /skills/1/tags, …" */
function placesText(source: string, { places }: FaultGroup): string {
  const [first, ...others] = places;
  if (first === undefined) return '';
  const shown = others
    .slice(0, mostPlaces)
    .map((documentFault) => `${documentFault.pointer} (${placeOf(documentFault)})`);
  const rest = others.length - shown.length;
  const also = shown.length === 0 ? '' : `; also ${shown.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`;
  return `${source}:${placeOf(first)}${also}`;
}

function groupText(group: FaultGroup, source: string, { columns, verbose }: ConsoleManner, paint: Paint): string {
  const { first } = group;
  const flow = (text: string, at: number) => wrap(printable(text, 1200), at, columns);
  const line = (name: string, text: string | undefined): readonly string[] =>
    text === undefined ? [] : [`${' '.repeat(margin)}${paint('dim', name.padEnd(10))}${flow(text, labelled)}`];
  const head = `${paint(['bold', styles[first.level]], first.level.toUpperCase().padEnd(margin - 1))} ${paint('bold', flow(shortFact(first), margin))}`;
  const isFull = verbose || first.level === 'must';
  const sentence =
    first.statement && `${first.statement} (${[first.requirement, first.section].filter(Boolean).join(', ')})`;
  return [
    head,
    ...line('at', placesText(source, group)),
    ...(isFull ? line('sentence', sentence) : []),
    ...(isFull ? line('link', first.link) : []),
    ...line('fix', first.fix),
  ].join('\n');
}

const shortFact = (fault: DocumentFault): string =>
  factOf(fault.seen === undefined ? fault : { ...fault, seen: excerpt(fault.seen, 80) });

function notesText({ notes, signatures }: Validation, { columns }: ConsoleManner, paint: Paint): string {
  const line = (word: string, text: string): string =>
    `${paint('dim', word.padEnd(margin - 1))} ${wrap(printable(text, 600), margin, columns)}`;
  return [
    ...notes.map((note) => line('note', `${note.text} (${placeOf(note)})`)),
    ...signatures.map(({ pointer, verified, detail }) =>
      line('signed', `${pointer} ${verified ? 'is verified by the given key' : 'is not verified'}: ${detail}`),
    ),
  ].join('\n');
}

function endText(validation: Validation, { strict }: { readonly strict: boolean }, paint: Paint): string {
  const { passed, summary, more } = validation;
  const counted = `${countText(summary)}${more > 0 ? `, and ${more} more of the same` : ''}`;
  if (!passed) return `${paint(['bold', 'red'], 'FAILED')}  ${counted}`;
  const tail = summary.should > 0 && !strict ? '; --strict counts them too' : '';
  return `${paint(['bold', 'green'], 'PASSED')}  ${counted}${tail}`;
}

/** For people: the fact, where it stands, the sentence with its link, what to do; the verdict last. */
export function validationConsole(validation: Validation, manner: ConsoleManner, strict: boolean): string {
  const paint = paintWith(manner.colour);
  const { source, title, because } = validation.document;
  const groups = groupsOf(validation);
  const shown = groups.slice(0, mostGroups);
  const rest = groups.length - shown.length;
  const name = printable(source, 200);
  const passed = validation.checks.filter(({ verdict }) => verdict === 'pass');
  const blocks = [
    `${paint('bold', name)}: ${title}\n${paint('dim', wrap(printable(`(${because})`, 300), 0, manner.columns))}`,
    ...shown.map((group) => groupText(group, name, manner, paint)),
    rest > 0 ? `and ${plural(rest, 'more fault')}: --json shows all` : '',
    manner.verbose
      ? passed
          .map(({ level, id }) => `${paint('green', 'pass'.padEnd(margin - 1))} ${level.toUpperCase()} ${id}`)
          .join('\n')
      : '',
    notesText(validation, manner, paint),
    endText(validation, { strict }, paint),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}
