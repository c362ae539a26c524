import { without } from '../../packs/settings.js';
import { readWithin } from '../files/index.js';
import { TckError } from '../model/tck-error.js';
import type { Report, TapedRun } from '../report/index.js';
import { causeOf } from './cause.js';
import type { CliArguments } from './cli-options.js';
import type { Settings } from './settings.js';

export interface StoredReport {
  readonly report: Report;
  /** The unchanged content of the file. */
  readonly bytes: Uint8Array;
}

/** Bytes. The kit writes no report of half this size. */
const longest = 64 * 1024 * 1024;

async function documentIn(file: string, kind: 'report' | 'tape', format: string): Promise<[unknown, Uint8Array]> {
  let bytes: Uint8Array;
  let document: unknown;
  try {
    bytes = readWithin(file, longest);
    document = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    const hint = `it must be a ${kind} that --report ${format}=<file> wrote`;
    throw new TckError('usage', `${file} cannot be read: ${causeOf(error)}`, hint);
  }
  const { findDefect } = await import('./schema-check.js');
  const defect = findDefect(kind, document);
  if (defect !== undefined) throw new TckError('usage', `${file} is not a ${kind} of this kit: ${defect}`);
  return [document, bytes];
}

/** Reads a report that `--report json=<file>` wrote. Throws `TckError('usage')` for anything else. */
export async function readStored(file: string): Promise<StoredReport> {
  const [document, bytes] = await documentIn(file, 'report', 'json');
  const { readReport } = await import('../../reporters/index.js');
  return { report: readReport(document as Parameters<typeof readReport>[0]), bytes };
}

/** Options that make no sense where no agent is asked. */
const ofAgents = ['updateBaseline', 'shard', 'watch', 'dryRun', 'lastFailed', 'lastUnproven'] as const;

/**
 * The settings of a run on what `--report tape=<file>` kept: nothing reaches an agent. Throws `TckError('usage')` for any
 * other file, and for options that need an agent.
 */
export async function onTape(file: string, settings: Settings, given: CliArguments): Promise<[string, Settings]> {
  const wrong = ofAgents.find((name) => given[name] !== undefined && given[name] !== false);
  if (wrong !== undefined) {
    const option = `--${wrong.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new TckError('usage', `--replay-tape asks no agent, and ${option} needs one`, `leave ${option} out`);
  }
  const [document] = await documentIn(file, 'tape', 'tape');
  const { readTape } = await import('../../reporters/index.js');
  const tape: TapedRun = readTape(document as Parameters<typeof readTape>[0]);
  if (tape.exchanges.length === 0)
    throw new TckError('usage', `${file} holds no exchange`, 'only a run of checks makes a tape');
  const { namedDialect } = await import('./named.js');
  const over = namedDialect(tape.profile);
  const { fuzz, oauth, restart, webhook, waitMs, network, binding, ...kept } = without(settings.target);
  const target = { ...kept, tape, profile: tape.profile, ...(over === undefined ? {} : { binding: over.binding.id }) };
  return [tape.url, { ...settings, target }];
}
