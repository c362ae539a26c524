// Writes the frozen set of this version of the kit: schemas/sets/<version>-<date>.yaml. `npm version` runs it on a kit
// that is built. A set that is published never changes; the one of a version that is not yet out is written anew.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const dist = (path) => import(join(root, 'dist', path));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { dialects } = await dist('src/dialect/index.js');
const { loadLedger, overlaid } = await dist('src/ledger/index.js');
const { planAll } = await dist('src/run/index.js');
const { rules } = await dist('suites/index.js');
const { clientRules } = await dist('suites/clients/index.js');
const { clientProfiles } = await dist('src/clients/profile.js');

const planned = [
  ...dialects.map(({ id, ledger, pays }) => {
    const own = loadLedger(ledger);
    return [id, planAll(rules, pays ? overlaid(own, loadLedger('x402')) : own)];
  }),
  ...clientProfiles().map(({ id, ledger }) => [id, planAll(clientRules, ledger)]),
];
// Most checks have one level in the same profiles as many others.
const profilesOf = new Map();
for (const [profile, list] of planned) {
  for (const { rule, level } of list) {
    const key = `${level} ${rule.id}`;
    profilesOf.set(key, [...(profilesOf.get(key) ?? []), profile]);
  }
}
const groups = new Map();
for (const [key, profiles] of profilesOf) {
  const [level, id] = key.split(' ');
  const name = `${level} ${profiles.join(' ')}`;
  const group = groups.get(name) ?? { level, profiles, ids: [] };
  groups.set(name, group);
  group.ids.push(id);
}
const folder = join(root, 'schemas/sets');
const earlier = readdirSync(folder).filter((name) => /^\d{4}-\d\d-\d\d\.yaml$/.test(name.replace(`${version}-`, '')));
const date = process.argv[2] ?? new Date().toISOString().slice(0, 10);
for (const name of earlier) rmSync(join(folder, name));
const id = `${version}-${date}`;
const about = `# The checks that count for a gate with --set ${id}, by level and profile. scripts/freeze-set.js writes it.
# tightened: checks of earlier sets that refuse more since this one; for those sets they count as added.
`;
const checks = [...groups.values()].map((group) => ({ ...group, ids: [...group.ids].sort() }));
writeFileSync(join(folder, `${id}.yaml`), about + stringify({ tightened: [], checks }, { lineWidth: 0 }));
process.stdout.write(`${id}: ${checks.reduce((sum, { ids }) => sum + ids.length, 0)} checks and levels\n`);
