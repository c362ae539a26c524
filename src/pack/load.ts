import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Rule } from '../kit/index.js';
import { TckError } from '../model/index.js';
import { kindOfPack, type Pack } from './define.js';
import { type Given, nameAndMessage, type OpenPack, openPack, takenBy } from './open.js';
import { placeOfPack } from './place.js';

/** How long a module may take to load, ms. */
const patience = 10_000;

/** What the thread does: it returns null, or why the module did not load. */
const loading = `const { parentPort, workerData } = require('node:worker_threads');
import(workerData).then(
  () => parentPort.postMessage(null),
  (error) => parentPort.postMessage(error instanceof Error ? error.name + ': ' + error.message : String(error)),
);`;

const cannot = (name: string, why: string, hint?: string): TckError =>
  new TckError('config', `the pack ${name} cannot be loaded: ${why}`, hint);

/** Advice for modules that fail when they are imported. */
function advice(why: string): string | undefined {
  if (/Cannot find package 'a2a-tck'/.test(why))
    return 'install a2a-tck beside the pack: npm install --save-dev a2a-tck';
  return /'a2a-tck\/pack' does not provide an export/.test(why) ? 'docs/packs.md lists what there is' : undefined;
}

/**
 * Loads the module in a thread that can be ended: one that never comes to its end, or that ends the process, must not
 * do so here. Throws `TckError('config')`.
 */
export function tryModule(name: string, url: string, limitMs = patience): Promise<void> {
  const thread = new Worker(loading, { eval: true, workerData: url, stderr: true, stdout: true });
  return new Promise<void>((pass, fail) => {
    const timer = setTimeout(() => fail(cannot(name, `it does not load within ${limitMs / 1000} s`)), limitMs);
    thread.on('message', (reason: string | null) => {
      if (reason === null) return pass();
      const why = nameAndMessage(reason);
      fail(cannot(name, `it throws ${why}`, advice(why)));
    });
    thread.on('error', (error) => fail(cannot(name, `it throws ${nameAndMessage(error)}`)));
    thread.on('exit', () => {
      clearTimeout(timer);
      fail(cannot(name, 'its thread ends before it is loaded'));
    });
  }).finally(() => thread.terminate());
}

/** The pack that a module exports. Throws `TckError('config')`. */
export function packIn(name: string, exported: unknown): Pack {
  const kind = kindOfPack(exported);
  if (kind === 'other')
    throw cannot(
      name,
      'it is made by another copy of a2a-tck than this one',
      'run the one that is installed beside the pack',
    );
  if (kind === undefined) throw cannot(name, 'its default export is not made by definePack', 'see docs/packs.md');
  return exported as Pack;
}

/** Packs as the user names them, and their options. */
export interface PackTarget {
  /** Paths of modules or folders, and names of packages that are installed. */
  readonly packs?: readonly string[];
  /** Options of packs by `<pack>.<name>`. */
  readonly packOptions?: Readonly<Record<string, string>>;
  /** The same for options that are secret: their values appear in no event and no report. */
  readonly packSecrets?: Readonly<Record<string, string>>;
}

/**
 * Loads packs, and judges them: `rules` are those of the kit. Throws `TckError('usage')` for a pack that is not there
 * and for options that none of them has, `TckError('config')` for one that cannot be used.
 */
export async function loadPacks(
  { packs = [], packOptions = {}, packSecrets = {} }: PackTarget,
  rules: readonly Rule[],
): Promise<readonly OpenPack[]> {
  const given: Given = { options: packOptions, secrets: packSecrets };
  const taken = takenBy(rules);
  const opened: OpenPack[] = [];
  for (const name of new Set(packs)) {
    const { href } = pathToFileURL(placeOfPack(name));
    await tryModule(name, href);
    const module = (await import(href)) as { readonly default?: unknown };
    opened.push(openPack(packIn(name, module.default), name, given, taken));
  }
  const names = opened.map((openPack) => openPack.name);
  for (const path of Object.keys({ ...packOptions, ...packSecrets }))
    if (!names.includes(path.split('.', 1)[0] ?? ''))
      throw new TckError(
        'usage',
        `${path} is an option of no loaded pack`,
        'write it as <pack>.<option>, and name the pack with --pack',
      );
  return opened;
}
