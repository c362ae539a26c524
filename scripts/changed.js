// What a change touches: files, and the checks that it may decide otherwise. The built kit is used for the checks.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

export const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
const lines = (text) => text.split('\n').filter((line) => line !== '');

/** The files that differ from a commit, and the new ones; of a clean checkout those of the last commit. */
export function changedFiles(given) {
  const fresh = lines(git('ls-files', '--others', '--exclude-standard'));
  const since = (base) => [...lines(git('diff', '--name-only', base)), ...fresh];
  const found = since(given ?? 'HEAD');
  return found.length > 0 || given !== undefined ? [found, given ?? 'HEAD'] : [since('HEAD~1'), 'HEAD~1'];
}

/** The checks that a changed file of `suites/` or of a pack names, and those that the changed faults should make fail. */
export async function checksOf(files, base) {
  const texts = files
    .filter((file) => /^(suites|packs)\//.test(file) && existsSync(join(root, file)))
    .map((file) => readFileSync(join(root, file), 'utf8'));
  const changes = git('diff', '-U5', base, '--', 'fixtures/faults', 'fixtures/clients/faults', 'packs/*/faults');
  const quoted = (text) => [...text.matchAll(/'([a-z0-9]+(?:[-/][a-z0-9]+)+)'/g)].map(([, id]) => id);
  const ids = new Set(texts.flatMap(quoted));
  const faultIds = new Set(quoted(changes));
  const { rules } = await import(join(root, 'dist/suites/index.js'));
  const { clientRules } = await import(join(root, 'dist/suites/clients/index.js'));
  const { faults: ofAgents } = await import(join(root, 'dist/fixtures/faults/index.js'));
  const { clientFaults: ofClients } = await import(join(root, 'dist/fixtures/clients/index.js'));
  const { mayProve } = await import(join(root, 'dist/src/proof/index.js'));
  const touched = (some, all) => {
    const changed = all.filter(({ id }) => faultIds.has(id));
    return some.filter((rule) => ids.has(rule.id) || changed.some((item) => mayProve(item, rule))).map(({ id }) => id);
  };
  return { ofAgents: touched(rules, ofAgents), ofClients: touched(clientRules, ofClients) };
}
