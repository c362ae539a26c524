import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readIdentity } from '../../endpoint/identity.js';
import { openFile, type PartialFile, readWithin, type Writing } from '../../files/index.js';
import { TckError } from '../../model/tck-error.js';
import type { Ci, ReadFile } from '../../setup/index.js';
import { type NetworkGiven, readNetwork } from '../network.js';
import type { Terminal } from '../terminal.js';

export interface InitArguments extends NetworkGiven {
  readonly url?: string;
  readonly folder?: string;
  readonly ci?: Ci | 'none';
  readonly force?: boolean;
}

const configFile = 'a2a-tck.config.yaml';

/** The URL of the schema of this version, for editors: users of npx have no copy. */
const schemaUrl = ({ name, version }: { readonly name: string; readonly version: string }): string =>
  `https://unpkg.com/${name}@${version}/dist/schemas/kit/config.schema.json`;

/** GitLab if the folder belongs to a GitLab project. */
const usualCi = (folder: string): Ci => (existsSync(join(folder, '.gitlab-ci.yml')) ? 'gitlab' : 'github');

/** Longest file of a project that is looked into, bytes. */
const longest = 1 << 20;

/** What the files of a folder say. One that cannot be read, or is a folder itself, counts as missing. */
const readerOf =
  (folder: string): ReadFile =>
  (name) => {
    try {
      return readWithin(join(folder, name), longest).toString('utf8');
    } catch {
      return undefined;
    }
  };

/** Refuses a URL with a secret, which would be stored in the files. Throws `TckError('usage')`. */
async function refuseSecrets(url: string | undefined): Promise<void> {
  const { secretsInUrl } = await import('../../wire/index.js');
  if (url === undefined || secretsInUrl(url).length === 0) return;
  const hint = 'leave it out, and add query-env: <name>=<VARIABLE> to what is written';
  throw new TckError('usage', '--url has a credential in its query, which would stand in the file', hint);
}

/** Writes all files or none. */
function writeAll(files: readonly string[], texts: readonly string[], how: Writing): void {
  const opened: PartialFile[] = [];
  try {
    for (const [at, file] of files.entries()) {
      const partialFile = openFile(file, how);
      opened.push(partialFile);
      partialFile.write(texts[at] ?? '');
    }
  } catch (error) {
    for (const partialFile of opened) partialFile.discard();
    throw error;
  }
  for (const partialFile of opened) partialFile.done();
}

/**
 * Writes a configuration for an agent and a workflow that tests it. Existing files are overwritten only with `--force`.
 */
export async function initCommand(
  { url, folder = '.', force = false, ci = usualCi(folder), ...given }: InitArguments,
  terminal: Terminal,
): Promise<number> {
  const { setIds } = await import('../../ledger/index.js');
  const { baselineFile, baselineText, configText, credentialNeeds, projectOf, workflowFiles, workflowText } =
    await import('../../setup/index.js');
  const names: string[] = [configFile, ...(ci === 'none' ? [] : [workflowFiles[ci]])];
  const there = names.filter((name) => existsSync(join(folder, name)));
  if (there.length > 0 && !force) {
    throw new TckError('usage', `${there.join(' and ')} is there already`, '--force writes over it');
  }
  const { checkUrl } = await import('../settings.js');
  checkUrl(url);
  await refuseSecrets(url);
  const { network } = readNetwork(given, terminal.env);
  const detected = url === undefined ? undefined : await (await import('../discovery.js')).discover(url, network);
  const identity = readIdentity();
  const { credentials } =
    detected === undefined ? { credentials: [] } : credentialNeeds(detected.target.card, detected.target.cardDocument);
  const project = projectOf(readerOf(folder));
  const texts = [
    configText(url, detected, schemaUrl(identity), given, setIds()[0]),
    ...(ci === 'none' ? [] : [workflowText(ci, identity.version, credentials, project)]),
  ];
  // What is known to fail is written by hand: it is kept, whatever else is written anew.
  if (!existsSync(join(folder, baselineFile))) {
    names.push(baselineFile);
    texts.push(baselineText);
  }
  const files = names.map((name) => join(folder, name));
  writeAll(files, texts, { what: '', isNew: !force, within: folder });
  terminal.out(files.map((file) => `${file}\n`).join(''));
  const { printable } = await import('../../wire/index.js');
  const lines = [
    ...(detected?.evidence.slice(-1) ?? []),
    ...(project === undefined || ci === 'none'
      ? []
      : [`${project.about}: look at how ${workflowFiles[ci]} builds and starts it`]),
    ...(credentials.length === 0 ? [] : ['Set before a run:']),
    ...credentials.map(({ variable, about }) => `  ${variable}: ${about}`),
  ];
  terminal.err(lines.map((line) => `${printable(line)}\n`).join(''));
  terminal.err(`Next: npx ${identity.name}@${identity.version} --config ${join(folder, configFile)}\n`);
  return 0;
}
