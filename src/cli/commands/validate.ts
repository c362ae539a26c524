import type { DocumentKind } from '../../document/index.js';
import { openFile } from '../../files/index.js';
import { TckError } from '../../model/tck-error.js';
import type { Validation } from '../../report/index.js';
import { readDocumentOutputs } from '../document-outputs.js';
import { type Terminal, wantsColour } from '../terminal.js';
import { type UpgradeArguments, upgradeCommand } from './upgrade.js';

async function kindNamed(name: string | undefined): Promise<DocumentKind | undefined> {
  if (name === undefined) return undefined;
  const { documentKinds } = await import('../../document/index.js');
  const { suggestion } = await import('../../model/nearest.js');
  const found = documentKinds.find((documentKind) => documentKind === name);
  if (found !== undefined) return found;
  throw new TckError(
    'usage',
    `--as ${name} is not a kind of document`,
    suggestion(name, documentKinds, `kinds: ${documentKinds.join(', ')}`),
  );
}

/** Judges documents without an agent. Returns 0 if none has a fault that counts, else 1. */
export async function validateCommand(
  from: readonly string[],
  given: UpgradeArguments,
  terminal: Terminal,
): Promise<number> {
  if (given.to !== undefined || given.out !== undefined) {
    return upgradeCommand(from, given, terminal);
  }
  const { profile, strict = false, verbose = false } = given;
  const outputs = readDocumentOutputs(given.report ?? [], given.json === true);
  const as = await kindNamed(given.as);
  const { judgeDocument, mostBytes, readKeys } = await import('../../document/index.js');
  const { readIdentity } = await import('../../endpoint/identity.js');
  const { readSource, sourcesIn } = await import('../document-source.js');
  const { rules } = await import('../../../suites/index.js');
  const { validationText } = await import('../../../reporters/index.js');
  const keys = given.key === undefined ? undefined : readKeys(await publicKeyIn(given.key));
  const sinks = outputs.map(({ format, file }) => ({ format, sink: file === undefined ? undefined : openFile(file) }));
  try {
    const validations: Validation[] = [];
    for (const each of await sourcesIn(from)) {
      const { bytes, source, evidence } = await readSource(each, as, mostBytes);
      const judged = judgeDocument({ bytes, source, as, profile, keys, strict, kit: readIdentity(), rules });
      const notes = [...judged.notes, ...evidence.map((text) => ({ pointer: '', line: 1, column: 1, text }))];
      validations.push({ ...judged, notes });
    }
    const plain = { colour: false, verbose, strict };
    const shown = {
      ...plain,
      colour: wantsColour(terminal),
      ...(terminal.isTTY ? { columns: terminal.columns ?? 80 } : {}),
    };
    for (const { format, sink } of sinks) {
      const text = validationText(format, validations, sink === undefined ? shown : plain);
      if (sink === undefined) terminal.out(text);
      else sink.write(text);
    }
    for (const { sink } of sinks) sink?.done();
    return validations.some(({ exitCode }) => exitCode === 1) ? 1 : 0;
  } catch (error) {
    for (const { sink } of sinks) sink?.discard();
    throw error;
  }
}

/** Most bytes of a file of keys. */
const longestKeys = 256 * 1024;

async function publicKeyIn(file: string): Promise<string> {
  const { fromFile } = await import('../document-source.js');
  const { bytes } = fromFile(file, longestKeys);
  return Buffer.from(bytes).toString('utf8');
}
