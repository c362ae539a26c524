import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isObject, isString, TckError } from '../model/index.js';

// Where a pack is: a file, a folder with a module, or a package that is installed. Nothing is looked for by itself.

const isPath = (name: string): boolean => /^\.{0,2}[/\\]|^[A-Za-z]:[/\\]|\.[cm]?js$|^\.{1,2}$/.test(name);

/** The file of the condition that an import has. */
function exported(value: unknown): string | undefined {
  if (isString(value)) return value;
  if (!isObject(value)) return undefined;
  return exported(value['.'] ?? value['node'] ?? value['import'] ?? value['default']);
}

function manifestIn(folder: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The module of a folder: what its package.json exports, or index.js. */
function entryOf(folder: string): string | undefined {
  const { exports, main } = manifestIn(folder);
  const names = [exported(exports), isString(main) ? main : undefined, 'index.js', 'index.mjs'];
  return names
    .flatMap((name) => (name === undefined ? [] : [join(folder, name)]))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

/**
 * The module of a pack. `name`: a path from the working folder, or the name of a package that is installed there or
 * above. Throws `TckError('usage')` if there is none.
 */
export function placeOfPack(name: string, folder = process.cwd()): string {
  const fail = (hint: string): never => {
    throw new TckError('usage', `unknown pack ${name}`, hint);
  };
  if (isPath(name)) {
    const path = resolve(folder, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() === true) return path;
    return (found?.isDirectory() === true ? entryOf(path) : undefined) ?? fail(`no module is at ${path}`);
  }
  for (let at = resolve(folder); ; at = dirname(at)) {
    const home = join(at, 'node_modules', name);
    if (existsSync(home)) return entryOf(home) ?? fail(`the package in ${home} exports no module`);
    if (dirname(at) === at) return fail(`install the package, or give the path of a module: --pack ./${name}.js`);
  }
}
