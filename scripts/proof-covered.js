// Compares the stored proof with an earlier one: each fault that a law caught must still be there, or the law must fail by
// a change to a recorded answer, in the same profile and on the same sentence. Prints what is lost, and which faults only
// laws catch that fail by such a change wherever they catch the fault.
//
//     node scripts/proof-covered.js <folder of the earlier proof> <faults of it, as JSON> [<folder of the proof>]
import { readdirSync, readFileSync } from 'node:fs';

const [before, faultFile, now = 'proof'] = process.argv.slice(2);
const dist = new URL('../dist/', import.meta.url);
const { readKills, readLawProofs } = await import(new URL('src/proof/stored.js', dist));
const { dialects } = await import(new URL('src/dialect/index.js', dist));
const { loadLedger } = await import(new URL('src/ledger/index.js', dist));
const { rules } = await import(new URL('suites/index.js', dist));

const faults = new Map(JSON.parse(readFileSync(faultFile, 'utf8')).map((one) => [one.id, one]));
const laws = new Map(rules.flatMap((rule) => (rule.kind === 'law' ? [[rule.id, rule]] : [])));
const byId = new Map(rules.map((rule) => [rule.id, rule]));
const lost = [];
const pairs = { all: 0, proving: 0, kept: 0, changed: 0 };
/** Of each fault: whether a check that is no law catches it, and whether all laws that catch it are proven otherwise. */
const standing = new Map();
for (const file of readdirSync(before).filter((name) => name.endsWith('.txt') && !/^(client|fuzz)/.test(name))) {
  const profile = file.slice(0, -'.txt'.length);
  const ledger = profile.endsWith('-x402')
    ? loadLedger('x402')
    : loadLedger(dialects.find(({ id }) => id === profile).ledger);
  const kept = readKills(now, profile);
  const changed = new Set(readLawProofs(now, profile).map(({ law }) => law));
  for (const [id, checks] of readKills(before, profile)) {
    const breaks = faults.get(id)?.breaks ?? [];
    const one = standing.get(id) ?? { byCheck: false, covered: true, laws: new Set() };
    standing.set(id, one);
    for (const check of checks) {
      const shared = (byId.get(check)?.keys ?? []).filter(
        (key) => breaks.includes(key) && ledger.rowsOf(key).length > 0,
      );
      if (!laws.has(check)) {
        one.byCheck ||= shared.length > 0;
        continue;
      }
      pairs.all += 1;
      if (shared.length > 0) {
        pairs.proving += 1;
        one.laws.add(check);
      }
      if (!changed.has(check)) one.covered = false;
      if (kept.get(id)?.includes(check)) pairs.kept += 1;
      else if (changed.has(check)) pairs.changed += 1;
      else lost.push(`${profile}: ${id} no longer fails ${check}, and nothing else does`);
    }
  }
}
const free = [...standing].filter(([, one]) => !one.byCheck && one.covered && one.laws.size > 0);
console.log(JSON.stringify({ pairs, lost, free: free.map(([id, one]) => ({ id, laws: [...one.laws] })) }, null, 1));
