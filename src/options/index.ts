import { bundledOptions } from '../../packs/options.js';
import { again, agent, callers, checks, files, fuzz, limits, network, profile, report, steering } from './rows.js';
import type { Option, Options, Place, ValuesOf } from './shared/option.js';

export { type Deed, deeds, type Option } from './shared/option.js';

/** A group of options as people read of it, and the commands that take it. */
export interface Group {
  readonly title: string;
  /** Help gives the group a heading of its own. */
  readonly heading?: string;
  readonly commands: readonly ('run' | 'demo' | 'fuzz' | 'report' | 'merge' | 'client' | 'call' | 'init')[];
  readonly options: Options;
}

const judged = ['run', 'demo', 'fuzz'] as const;

type OfPacks = {
  readonly [Name in keyof typeof bundledOptions]: (typeof bundledOptions)[Name] & { readonly commands: typeof judged };
};
const ofPacks = Object.fromEntries(
  Object.entries(bundledOptions).map(([name, group]) => [name, { ...group, commands: judged }]),
) as OfPacks;

const table = {
  agent: { title: 'Agent', commands: ['run', 'fuzz'], options: agent },
  again: { title: 'Runs after a first one', commands: ['run'], options: again },
  report: { title: 'Reports', commands: [...judged, 'report', 'merge', 'client'], options: report },
  profile: { title: 'What the agent speaks', commands: judged, options: profile },
  checks: { title: 'Checks and gate', commands: ['run', 'demo'], options: checks },
  fuzz: { title: 'Fuzzer', commands: ['fuzz'], options: fuzz },
  network: {
    title: 'Network',
    heading: 'Network (HTTP_PROXY, HTTPS_PROXY and NO_PROXY are honoured):',
    commands: [...judged, 'call', 'init'],
    options: network,
  },
  limits: { title: 'Seed, time, pace and cost', commands: judged, options: limits },
  callers: { title: 'Callers, and what the agent reaches', commands: judged, options: callers },
  ...ofPacks,
  files: { title: 'Long waits, and the configuration file', commands: judged, options: files },
  steering: { title: 'Steering', commands: [], options: steering },
} satisfies Readonly<Record<string, Group>>;

type Table = typeof table;
export type GroupName = keyof Table;

/** All options of a run and of a campaign of the fuzzer, by group. */
export const groups: Readonly<Record<GroupName, Group>> = table;

export const groupNames = Object.keys(table) as readonly GroupName[];

type Together<Union> = (Union extends unknown ? (item: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** The options as a program reads them, by their names in camel case. */
export type Values = ValuesOf<Together<Table[GroupName]['options']>>;

const everywhere: readonly Place[] = ['command line', 'config', 'fleet'];
export const placesOf = ({ places = everywhere }: Option): readonly Place[] => places;

/** The options that may stand in a place, by name. Where two groups have the same one, the first counts. */
export function optionsIn(place: Place): ReadonlyMap<string, Option> {
  const found = new Map<string, Option>();
  for (const { options } of Object.values(groups)) {
    for (const [name, option] of Object.entries(options)) {
      if (placesOf(option).includes(place) && !found.has(name)) found.set(name, option);
    }
  }
  return found;
}
