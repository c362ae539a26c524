import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';

/** Makes a folder and its parents. `recursive` of Node 20 never returns where no folder can be made (below /proc). */
function make(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) make(above);
  try {
    mkdirSync(path);
  } catch (error) {
    // Another process may have been faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function isIn(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * A path inside `within` must stay inside: a link on the way, which a cloned repository can bring, must not lead out. A
 * path that names a place outside is allowed: the user wrote it. Throws an `Error`.
 */
export function checkWay(folder: string, within: string = process.cwd()): void {
  const path = resolve(folder);
  const bounds = resolve(within);
  if (!existsSync(bounds) || !isIn(path, bounds)) return;
  let there = path;
  while (!existsSync(there)) there = dirname(there);
  const real = realpathSync(there);
  if (isIn(real, realpathSync(bounds))) return;
  throw new Error(`${relative(bounds, there)} leads out, by a link, to ${real}: name that folder itself`);
}

/** Makes a folder and its parents, where `checkWay` lets it. Throws an `Error`. */
export function makeFolder(folder: string, within?: string): void {
  checkWay(folder, within);
  make(resolve(folder));
}
