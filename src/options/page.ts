import { reporters } from '../../reporters/index.js';
import { type Group, groups, placesOf } from './index.js';
import { helpInFile } from './schemas.js';
import type { Option } from './shared/option.js';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

const secrets = { value: 'the value', variable: 'in the variable', file: 'in the file' } as const;

function usualIn({ usual = '' }: Option): string {
  if (typeof usual === 'string') return usual;
  return `${usual.run}; of \`fuzz\`: ${usual.fuzz}`;
}

function placesIn(option: Option): string {
  const places = placesOf(option).map((place) => (place === 'command line' ? 'arguments' : place));
  const { action, api } = option;
  return [
    ...places,
    ...(action === undefined ? [] : [`action (\`${action.input}\`)`]),
    ...(api === undefined ? [] : [`API (\`${api}\`)`]),
  ].join(', ');
}

function rowOf([name, option]: readonly [string, Option]): string {
  const { value = '', secret, deed = '' } = option;
  const isArgument = placesOf(option).includes('command line');
  const spelled = isArgument ? `--${name}${value === '' ? '' : ` ${value}`}` : name;
  const help = isArgument ? option.help : helpInFile(option);
  const cells = [help, usualIn(option), placesIn(option), secret === undefined ? '' : secrets[secret], deed];
  return `| \`${spelled.replaceAll('|', '\\|')}\` | ${cells.map(cell).join(' | ')} |`;
}

function chapter({ title, commands, options }: Group): readonly string[] {
  const taken = commands.map((name) => `\`${name}\``).join(', ');
  return [
    `## ${title}`,
    '',
    commands.length === 0 ? 'Only in a file.' : `Commands: ${taken}.`,
    '',
    '| option | what it does | default | where it may stand | secret | more than choosing checks |',
    '|---|---|---|---|---|---|',
    ...Object.entries(options).map(rowOf),
    '',
  ];
}

/** The text of docs/options.md. */
export const optionsPage = (): string =>
  [
    '# Options',
    '',
    'Made by the build from `src/options`; do not edit. These are the options of a run and of a campaign of the fuzzer;',
    '`a2a-tck <command> --help` shows those of each command. A configuration file (`config`) and the targets of a fleet',
    '(`fleet`) spell them without the dashes. The kit says what an option does beside choosing checks where a configuration',
    'was found and not named.',
    '',
    ...Object.values(groups).flatMap(chapter),
  ].join('\n');

/** The rows of the table of formats; formats with the same readers share one, where the first of them stands. */
function formatRows(): readonly string[] {
  const named = new Map<string, string[]>();
  for (const { id, readers } of reporters) named.set(readers, [...(named.get(readers) ?? []), `\`${id}\``]);
  return [...named].map(([readers, names]) => `| ${names.join(', ')} | ${readers} |\n`);
}

/** The text of docs/reports.md with the formats that there are. */
export const reportsPageWith = (text: string): string =>
  text.replace(/^(\| format \| for \|\n\|---\|---\|\n)(?:\|.*\n)*/m, (_, head: string) => head + formatRows().join(''));
