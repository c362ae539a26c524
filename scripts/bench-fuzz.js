// Measures how many requests the fuzzer needs for each of its seeded faults: run `npm run build` first. Everything
// happens in memory and virtual time, so that the figures are the same on every machine.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { columns, median, quantile } from './fuzzing/figures.js';
import { fuzzFaults } from './fuzzing/stage.js';
import { onThreads } from './fuzzing/threads.js';

const file = join(dirname(fileURLToPath(import.meta.url)), '../proof/fuzz.txt');
const { values: given } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    // Measures only the faults that the stored table lacks, and stores it with them.
    add: { type: 'boolean', default: false },
    fault: { type: 'string', multiple: true },
    seeds: { type: 'string', default: '20' },
    'chain-seeds': { type: 'string', default: '30' },
    cap: { type: 'string', default: '4000' },
    threads: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    json: { type: 'boolean', default: false },
    // File with the figures of finished jobs, one line each; jobs in it are not measured again.
    resume: { type: 'string' },
    // Stops after this many seconds; `--resume` continues.
    time: { type: 'string' },
  },
});
const cap = Number(given.cap);
const seedsOf = (count) => Array.from({ length: Number(count) }, (_, at) => at + 1);
const never = Number.POSITIVE_INFINITY;
const rowPattern = /^(fuzz-\S+) +(\d+)\/(\d+) +(\S+) +(\S+) +(\S+) +(\S+) +(\d+) +(.*)$/gm;
const figure = (text) => (text.startsWith('>') ? never : Number(text));
const storedTable = given.add ? readFileSync(file, 'utf8') : '';
const storedRows = new Map(
  [...storedTable.matchAll(rowPattern)].map(([, id, found, of, median, p90, bound, steps, flaky, bucket]) => {
    const counts = { found: Number(found), of: Number(of), flaky: Number(flaky) };
    const figures = { median: figure(median), p90: figure(p90), bound: figure(bound), steps: figure(steps) };
    return [id, { id, ...counts, ...figures, bucket }];
  }),
);
// Faults that need signed calls or payments take long, so tests run the campaigns for them.
const listed = fuzzFaults.filter(({ callers }) => callers === undefined);
const chosen = (given.fault === undefined ? listed : fuzzFaults).filter(
  ({ id }) => !storedRows.has(id) && (given.fault === undefined || given.fault.some((text) => id.includes(text))),
);
const chained = given.add ? chosen.filter(({ chain }) => chain).map(({ id }) => id) : [];
if (chained.length > 0) throw new Error(`--add compares nothing, as these need: ${chained.join(', ')}`);
const profileOf = ({ profiles = ['a2a-0.3'] }) => profiles[0];
const jobOf = (fault, seed, more) => ({ profile: profileOf(fault), fault: fault.id, seed, cap, ...more });

const usual = chosen.flatMap((fault) => seedsOf(given.seeds).map((seed) => jobOf(fault, seed, { shrinks: true })));
const chains = chosen.filter(({ chain }) => chain);
const pairs = chains.flatMap((fault) =>
  seedsOf(given['chain-seeds']).flatMap((seed) => [true, false].map((guided) => jobOf(fault, seed, { guided }))),
);

const started = performance.now();
const jobs = [...usual, ...pairs];
const keyOf = (job) => JSON.stringify(job);
const stored = new Map(
  given.resume !== undefined && existsSync(given.resume)
    ? readFileSync(given.resume, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    : [],
);
// One seed of all faults before the next seed: early results are about all faults.
const open = jobs.filter((job) => !stored.has(keyOf(job))).sort((a, b) => a.seed - b.seed);
let done = 0;
await onThreads(new URL('./fuzzing/measure.js', import.meta.url), open, {
  threads: Number(given.threads),
  isOver: () => given.time !== undefined && performance.now() - started > 1000 * Number(given.time),
  onResult(result, index) {
    stored.set(keyOf(open[index]), result);
    if (given.resume !== undefined) appendFileSync(given.resume, `${JSON.stringify([keyOf(open[index]), result])}\n`);
    done++;
    if (process.stderr.isTTY) process.stderr.write(`\r${done}/${open.length}`);
  },
});
if (process.stderr.isTTY) process.stderr.write('\n');
if (done < open.length) {
  process.stderr.write(`${open.length - done} of ${jobs.length} are left\n`);
  process.exit(4);
}
const results = jobs.map((job) => stored.get(keyOf(job)));

const requestsOf = (some) => some.map(({ requests }) => requests ?? never);
const shown = (value) => (Number.isFinite(value) ? String(value) : `>${cap}`);
const most = (words) => {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? '-';
};
/** How many requests at the median of all seeds are allowed before a change counts as worse. */
const boundOf = (value) => (Number.isFinite(value) ? Math.ceil((value * 1.5 + 20) / 10) * 10 : never);

function rowOf(fault) {
  const mine = results.slice(0, usual.length).filter((result) => result.fault === fault.id);
  const requests = requestsOf(mine);
  const found = mine.filter((item) => item.requests !== null);
  return {
    id: fault.id,
    found: found.length,
    of: mine.length,
    median: median(requests),
    p90: quantile(requests, 0.9),
    bound: boundOf(median(requests)),
    steps: found.length > 0 ? median(found.map(({ steps }) => steps)) : never,
    flaky: found.filter(({ confirmed }) => confirmed !== '3/3').length,
    bucket: most(found.map(({ bucket }) => bucket)),
  };
}
function pairOf(fault) {
  const paired = results.slice(usual.length);
  const of = (wanted) =>
    requestsOf(paired.filter((_, at) => pairs[at].fault === fault.id && pairs[at].guided === wanted));
  const [guided, unguided] = [of(true), of(false)];
  const total = guided.length;
  const count = (some) => some.filter(Number.isFinite).length;
  return {
    id: fault.id,
    guided: median(guided),
    unguided: median(unguided),
    found: `${count(guided)}/${total}`,
    foundUnguided: `${count(unguided)}/${total}`,
  };
}
const measured = chosen.map(rowOf);
const rows = given.add
  ? listed.flatMap(({ id }) => measured.find((row) => row.id === id) ?? storedRows.get(id) ?? [])
  : measured;
const compared = chains.map(pairOf);

const comparison = `

Faults behind two conditions or three, ${given['chain-seeds']} seeds each: requests at the median, guided by answers and not.

${columns([
  ['fault', 'guided', 'found', 'unguided', 'found', ''],
  ...compared.map((row) => [row.id, shown(row.guided), row.found, shown(row.unguided), row.foundUnguided, '']),
])}

Guided needs fewer requests for ${compared.filter((row) => row.guided < row.unguided).length} of ${compared.length}; over all of them ${shown(median(compared.map((row) => row.guided)))} at the median, unguided ${shown(median(compared.map((row) => row.unguided)))}.`;

const missed = rows.filter((row) => row.found < row.of);
const compares = given.add ? /\n\nFaults behind .*/s.exec(storedTable)?.[0].trimEnd() : comparison;
const text = `Seeded faults of the fuzzer: how many requests until a finding that is confirmed. Made by npm run bench:fuzz.

${given.seeds} seeds for each fault, at most ${cap} requests for each seed; reference agent in memory, virtual time. Requests are
counted up to the case that showed the fault first; running it again and making it small come on top. Bound: what the
median may be before a change counts as worse, 1.5 times the median and 20. Steps: requests of the smallest case at the
median. Flaky: seeds whose finding came again less than three times in three.

${columns([
  ['fault', 'found', 'median', 'p90', 'bound', 'steps', 'flaky', 'seen as, mostly'],
  ...rows.map((row) => [
    row.id,
    `${row.found}/${row.of}`,
    shown(row.median),
    shown(row.p90),
    shown(row.bound),
    shown(row.steps),
    row.flaky,
    row.bucket,
  ]),
])}

${rows.length} faults, ${rows.filter((row) => row.found * 2 > row.of).length} found by most seeds, ${rows.length - missed.length} by all. Median of the medians: ${shown(median(rows.map((row) => row.median)))} requests; steps at the median: ${shown(median(rows.map((row) => row.steps)))}.${compared.length === 0 && !given.add ? '' : (compares ?? '')}
`;
process.stdout.write(given.json ? `${JSON.stringify({ rows, compared, results }, undefined, 1)}\n` : text);
process.stderr.write(`${((performance.now() - started) / 1000).toFixed(1)} s\n`);
if (given.add && storedTable.split('\n\n')[1] !== text.split('\n\n')[1]) {
  throw new Error('the stored table was measured with other seeds or another cap');
}
if (given.write || given.add) writeFileSync(file, text);
if (given.check) process.exitCode = compare(readFileSync(file, 'utf8'), measured);

/** 0 when no fault needs more than the table allows. */
function compare(table, measured) {
  const bounds = new Map(
    [...table.matchAll(/^(fuzz-\S+) +\d+\/\d+ +\S+ +\S+ +(\d+|>\d+) /gm)].map(([, id, bound]) => [id, bound]),
  );
  const worse = measured.filter(({ id, median: now }) => {
    const bound = bounds.get(id);
    return bound === undefined || (!bound.startsWith('>') && now > Number(bound));
  });
  for (const { id, median: now } of worse) {
    process.stderr.write(
      `${id}: ${shown(now)} requests at the median, the table allows ${bounds.get(id) ?? 'nothing'}\n`,
    );
  }
  return worse.length === 0 ? 0 : 1;
}
