import { type Command, InvalidArgumentError, Option } from 'commander';
import { type GroupName, groupNames, groups, optionsIn, type Option as Row } from '../options/index.js';

// Readers of option values. They throw an error of commander, which names the option and quotes the value.

export const integer =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
    }
    return value;
  };

export function percent(text: string): number {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || value > 100) throw new InvalidArgumentError('It must be a number from 0 to 100.');
  return value;
}

/** `a,b`, and the option may be repeated. */
export function list(text: string, before: readonly string[] = []): readonly string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) throw new InvalidArgumentError('It must be a list such as a,b.');
  return [...before, ...items];
}

export const repeated = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** `requests=500,tasks=20`, either or both. */
export function budget(text: string): { readonly requests?: number; readonly tasks?: number } {
  const parts = text.split(',').map((part) => /^(requests|tasks)=(\d{1,9})$/.exec(part.trim()));
  const names = parts.map((part) => part?.[1]);
  if (names.includes(undefined) || new Set(names).size < names.length) {
    throw new InvalidArgumentError('It must look like requests=500,tasks=20.');
  }
  return Object.fromEntries(parts.map((part) => [part?.[1], Number(part?.[2])]));
}

/** Gives an option what reads its value; without it the text stays unchanged. */
function readBy(option: Option, { kind }: Row): Option {
  if (kind.is === 'integer') return option.argParser(integer(kind.least, kind.most));
  if (kind.is === 'percent') return option.argParser(percent);
  if (kind.is === 'list') return option.argParser(list);
  if (kind.is === 'texts') return option.argParser(repeated);
  if (kind.is === 'budget') return option.argParser(budget);
  return kind.is === 'choice' ? option.choices(kind.of) : option;
}

const notes: Readonly<Record<string, string>> = { texts: '; repeatable', list: '; a comma list' };

function describe({ help, kind, usual }: Row, command: 'run' | 'fuzz'): string {
  const defaultValue = typeof usual === 'object' ? usual[command] : usual;
  return `${help}${notes[kind.is] ?? ''}${defaultValue === undefined ? '' : ` (default: ${defaultValue})`}`;
}

function addRow(command: Command, name: string, row: Row, whose: 'run' | 'fuzz'): void {
  const option = new Option(`--${name}${row.value === undefined ? '' : ` ${row.value}`}`, describe(row, whose));
  command.addOption(readBy(option, row));
  if (row.without !== undefined) command.option(`--no-${name}`, row.without);
}

/** Adds groups of options, with the defaults of a run or of a campaign of the fuzzer. */
function addGroups(command: Command, names: readonly GroupName[], whose: 'run' | 'fuzz' = 'run'): Command {
  for (const name of names) {
    const { heading = 'Options:', options } = groups[name];
    command.optionsGroup(heading);
    for (const [option, row] of Object.entries(options)) addRow(command, option, row, whose);
  }
  return command.optionsGroup('Options:');
}

/** Adds options that a command shares with runs, by their names. */
function addNamed(command: Command, ...names: readonly string[]): Command {
  for (const name of names) {
    const row = optionsIn('command line').get(name);
    if (row === undefined) throw new Error(`unknown option ${name}`);
    addRow(command, name, row, 'run');
  }
  return command;
}

export const addUrlOption = (command: Command): Command => addGroups(command, ['agent']);

/** The URL of the agent, and runs after a first one. */
export const addFirstOptions = (command: Command): Command => addGroups(command, ['agent', 'again']);

/** Options that say how a run is shown; `report` has them too. */
export const addReportOptions = (command: Command): Command => addGroups(command, ['report']);

/** Options that say how an agent is reached. */
export const addNetworkOptions = (command: Command): Command => addGroups(command, ['network']);

export const addMergeOptions = (command: Command): Command => addReportOptions(addNamed(command, 'min-proof'));

export const addClientOptions = (command: Command): Command =>
  addReportOptions(addNamed(command, 'suite', 'check', 'level', 'min-proof', 'baseline', 'update-baseline', 'set'));

/** Packs, for commands that only describe them. */
export const addPackOption = (command: Command): Command => addNamed(command, 'pack');

/** Packs and their options. */
export const addPackOptions = (command: Command): Command =>
  addNamed(command, 'pack', 'pack-option', 'pack-secret-env');

/** Credentials of the caller, and the network. */
export const addCallOptions = (command: Command): Command =>
  addNetworkOptions(
    addNamed(
      command,
      ...['header', 'bearer-env', 'oauth-client-id-env', 'oauth-client-secret-env', 'oauth-scope', 'query-env'],
      'allow-origin',
    ),
  );

/** The groups of a command after the agent, in the order of the table. */
const groupsOf = (command: 'run' | 'fuzz'): readonly GroupName[] =>
  groupNames.filter((name) => groups[name].commands.includes(command) && name !== 'agent' && name !== 'again');

/** Options of `run` and `demo`. A configuration file knows the same ones. */
export const addRunOptions = (command: Command): Command => addGroups(command, groupsOf('run'));

/** Options of `fuzz`. */
export const addFuzzOptions = (command: Command): Command => addGroups(command, groupsOf('fuzz'), 'fuzz');
