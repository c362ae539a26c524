// Puts the compiled files together for the package: a few readable modules in dist/bundle in place of two thousand. What
// is loaded lazily has a module of its own, as in the sources; dependencies stay outside; nothing is minified, since a
// user must be able to read what judges. The declarations of the API are rolled up beside them.
import { chmodSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

/** Modules that are found by their names: by package.json, or at run time as a thread. Compiled file to name. */
const entries = {
  'src/cli/main.js': 'cli',
  'src/index.js': 'index',
  'src/adapters/vitest.js': 'vitest',
  'src/pack/api.js': 'pack',
  'src/isolation/run-worker.js': 'run-worker',
  'src/cli/report-thread.js': 'report-thread',
  'src/proof/worker.js': 'proof-worker',
  'suites/index.js': 'suites',
  'suites/clients/index.js': 'client-suites',
};
const typed = ['src/index.js', 'src/adapters/vitest.js', 'src/pack/api.js'];

/** Of Node, or declared by the package: a user who installs it has nothing else. */
function outsideOf({ dependencies, peerDependencies, optionalDependencies }) {
  const names = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
  return (id) => id.startsWith('node:') || names.some((name) => id === name || id.startsWith(`${name}/`));
}

/** A bundle that is incomplete must not be published: a warning is a failure. */
function failOn(warning) {
  throw new Error(`the bundle is not whole: ${warning.code} ${warning.message}`);
}

/**
 * Keeps `import.meta.url` right: a module that is also an entry is found by its name in the bundle, and every other path
 * is relative to the compiled file that says it, as before.
 */
const places = (dist) => ({
  name: 'places',
  transform(code, id) {
    if (!code.includes('import.meta.url')) return undefined;
    const threads = /new URL\('(\.[^']+\.js)', import\.meta\.url\)/g;
    const withEntries = code.replace(threads, (_, path) => {
      const file = relative(dist, join(dirname(id), path)).replaceAll('\\', '/');
      const name = entries[file];
      if (name === undefined) throw new Error(`${id} names ${file}, which is not an entry of the bundle`);
      return `new URL('./${name}.js', __own)`;
    });
    const from = relative(join(dist, 'bundle'), id).replaceAll('\\', '/');
    return withEntries
      .replaceAll('import.meta.url', `new URL('${from}', import.meta.url).href`)
      .replaceAll('__own)', 'import.meta.url)');
  },
});

const inputs = (dist, files, ending) =>
  Object.fromEntries(files.map((file) => [entries[file], join(dist, file.replace(/\.js$/, ending))]));

async function bundleModules(dist, external) {
  const bundle = await rolldown({
    input: inputs(dist, Object.keys(entries), '.js'),
    external,
    platform: 'node',
    plugins: [places(dist)],
    onwarn: failOn,
  });
  await bundle.write({
    dir: join(dist, 'bundle'),
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Nearly every file imports a few modules of model: each would be a file of its own. The help needs only two.
    codeSplitting: {
      groups: [
        { name: 'error', test: /dist\/src\/model\/(?:tck-error|binding-id)\.js$/, priority: 1 },
        { name: 'model', test: /dist\/src\/model\// },
      ],
    },
  });
  await bundle.close();
}

/** A name for programs that have neither the types of Node nor those of the DOM; where they are, it adds nothing. */
const platformTypes = 'declare global {\n  interface AbortSignal {}\n}\n';

async function bundleTypes(dist, external) {
  const bundle = await rollup({
    input: inputs(dist, typed, '.d.ts'),
    external,
    plugins: [dts()],
    onwarn: failOn,
  });
  await bundle.write({
    dir: join(dist, 'bundle'),
    format: 'es',
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'types.d.ts',
    manualChunks: (id) => (typed.some((file) => id === join(dist, file.replace(/\.js$/, '.d.ts'))) ? null : 'types'),
    outro: ({ isEntry }) => (isEntry ? '' : platformTypes),
  });
  await bundle.close();
}

/** `root`: the folder of the project, with dist/ compiled. Rejects when anything is left out or unknown. */
export async function bundle(root) {
  const dist = join(root, 'dist');
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const external = outsideOf(manifest);
  await Promise.all([bundleModules(dist, external), bundleTypes(dist, external)]);
  for (const file of Object.values(manifest.bin)) chmodSync(join(root, file), 0o755);
}
