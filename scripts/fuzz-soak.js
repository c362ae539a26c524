// Fuzzes conforming agents: the plain agent and every variant of every profile. It must find nothing but
// the weaknesses that a variant says it has. Runs in memory
// and virtual time; with --sockets on ports, which also tests what needs a connection, but leaves out signed calls. One
// case at a time, on ports eight; --concurrency changes that. Run `npm run build` first.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { allDialects, variantsOf } from './fuzzing/stage.js';
import { onThreads } from './fuzzing/threads.js';

const { values: given } = parseArgs({
  options: {
    // Total for all agents together.
    cases: { type: 'string', default: '100000' },
    histories: { type: 'string', default: '10000' },
    // Agents with signed calls wait for their limit, so that each case takes long.
    profile: { type: 'string', multiple: true },
    variant: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
    threads: { type: 'string' },
    sockets: { type: 'boolean', default: false },
    concurrency: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const profiles = allDialects
  .filter(({ signed }) => !given.sockets || signed === undefined)
  .map(({ id }) => id)
  .filter((id) => given.profile?.includes(id) ?? true);
const agents = profiles.flatMap((profile) =>
  [undefined, ...variantsOf(profile).map(({ id }) => id)]
    .filter((id) => given.variant?.includes(id ?? 'clean') ?? true)
    .map((variant) => ({ profile, variant })),
);
// On ports, threads mostly wait: for work, for limits, for answers that never come. The same holds for cases.
const threads = Number(given.threads ?? Math.min(2, availableParallelism()) * (given.sockets ? 4 : 1));
const concurrency = Number(given.concurrency ?? (given.sockets ? 8 : 1));
const share = (total) => Math.ceil(Number(total) / agents.length);
const jobs = agents.map((agent, at) => ({
  ...agent,
  seed: Number(given.seed) + at,
  cases: share(given.cases),
  histories: share(given.histories),
  sockets: given.sockets,
  concurrency,
}));

const started = performance.now();
const found = new Map();
let done = 0;
const results = await onThreads(new URL('./fuzzing/soak-agent.js', import.meta.url), jobs, {
  threads,
  onResult({ profile, variant, findings, cuts }) {
    done++;
    if (process.stderr.isTTY) process.stderr.write(`\r${done}/${jobs.length}`);
    for (const finding of findings) {
      process.stderr.write(`${profile} ${variant}: ${finding.bucket}: ${finding.detail}\n`);
      const same = found.get(finding.bucket) ?? [];
      found.set(finding.bucket, [...same, finding]);
    }
    for (const cut of cuts) process.stderr.write(`${profile} ${variant}: ${cut}\n`);
  },
});
const sum = (name) => results.reduce((total, result) => total + result[name], 0);
const totals = { agents: agents.length, cases: sum('cases'), histories: sum('histories'), requests: sum('requests') };
const cuts = results.filter((result) => result.cuts.length > 0).length;

if (given.json)
  process.stdout.write(`${JSON.stringify({ ...totals, findings: Object.fromEntries(found) }, undefined, 1)}\n`);
else {
  for (const [bucket, all] of found) {
    const [first] = all;
    const where = [...new Set(all.map(({ profile, variant }) => `${profile}/${variant}`))];
    process.stdout.write(
      `FOUND ${bucket}\n  ${first.title}\n  ${first.detail}\n  ${first.confirmed}, on ${where.length}: `,
    );
    process.stdout.write(`${where.slice(0, 12).join(' ')}\n  seed ${first.seed}: ${JSON.stringify(first.replay)}\n`);
  }
  const { agents: count, cases, histories, requests } = totals;
  process.stdout.write(`${count} agents, ${cases} cases, ${histories} concurrent histories, ${requests} requests: `);
  process.stdout.write(`${found.size === 0 ? 'nothing found' : `${found.size} buckets found`}\n`);
}
process.stderr.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`);
process.exitCode = found.size > 0 || cuts > 0 ? 1 : 0;
