import { type Command, Option } from 'commander';
import { type GroupName, groupNames, groups, optionsIn, type Option as Row } from '../options/index.js';
import { budget, integer, list, percent, repeated } from './argument.js';

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
