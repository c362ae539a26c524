import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);

/** Packs the kit into `folder`, as it was built last; the path of the tarball. */
export async function packedInto(folder: string): Promise<string> {
  const packing = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const { stdout } = await run('npm', packing, { cwd: root, maxBuffer: 1 << 26 });
  const [{ filename }] = JSON.parse(stdout) as [{ readonly filename: string }];
  return join(folder, filename);
}

export interface Installed {
  /** The file of the command. */
  readonly main: string;
  /** What npm said. */
  readonly said: string;
}

/** Packs the kit and installs the tarball in `folder`, which is empty and knows no repository. */
export async function installedInto(folder: string): Promise<Installed> {
  const tarball = await packedInto(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  const { stdout, stderr } = await run('npm', ['install', '--no-audit', '--no-fund', tarball], { cwd: folder });
  return { main: join(folder, 'node_modules/a2a-tck/dist/bundle/cli.js'), said: stdout + stderr };
}
