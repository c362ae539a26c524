// Tests that the scripts of findings work on their own: for every seeded fault of the fuzzer one is found, and its
// script runs with sh and curl against a fresh agent with the fault, where it must show the fault, and against the same
// agent without it, where it must not. Run `npm run build` first.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { campaign } from './fuzzing/campaign.js';
import { columns, median } from './fuzzing/figures.js';
import { fuzzFaults, fuzzOn, serveOne, stageAgent } from './fuzzing/stage.js';

const { createFuzzPhase, readStoredCase } = await import(new URL('../dist/src/fuzz/index.js', import.meta.url).href);

const { values: given } = parseArgs({
  options: {
    fault: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
    // Requests in memory before the search for a fault ends, and how many seeds are tried.
    cap: { type: 'string', default: '6000' },
    seeds: { type: 'string', default: '3' },
    at: { type: 'string', default: '3' },
    keep: { type: 'string' },
  },
});
/** How often a case is tried on a port. */
const rounds = 5;
const folder = given.keep ?? mkdtempSync(join(tmpdir(), 'a2a-tck-scripts-'));
mkdirSync(folder, { recursive: true });

/**
 * A case that shows the fault, as it was found and as it was shrunk; in memory, where hours of waiting take no time.
 */
async function search(fault) {
  const profile = fault.profiles?.[0] ?? 'a2a-0.3';
  for (let seed = Number(given.seed); seed < Number(given.seed) + Number(given.seeds); seed++) {
    const agent = await stageAgent({ profile, fault: fault.id });
    const stop = new AbortController();
    let found;
    const met = new Map();
    const onSuspect = ({ bucket, case: fuzzCase }) => met.set(bucket, fuzzCase);
    const changes = {
      signal: stop.signal,
      onFinding(finding) {
        if (fault.seenBy.includes(finding.oracle)) {
          found ??= finding;
          stop.abort();
        }
      },
      onProgress: (_, requests) => (requests > Number(given.cap) ? stop.abort() : undefined),
    };
    await fuzzOn({ ...agent, profile, seed }, campaign({ runs: Number(given.cap) }, { onSuspect }), changes);
    agent.close();
    if (found !== undefined) return { found, met: met.get(found.bucket) };
  }
  return undefined;
}

/** The same on a port: the script must compare with answers of a real connection. */
async function onSockets(fault, { found, met }) {
  const profile = fault.profiles?.[0] ?? 'a2a-0.3';
  const agent = await serveOne({ profile, fault: fault.id });
  const stop = new AbortController();
  let shown;
  const changes = {
    signal: stop.signal,
    onFinding(finding) {
      if (fault.seenBy.includes(finding.oracle)) {
        shown ??= finding;
        stop.abort();
      }
    },
  };
  const limit = setTimeout(() => stop.abort(), 120_000);
  const stored = readStoredCase(found.replay, fault.id);
  // The corpus runs first, and a race needs several rounds; if these cases show nothing, similar cases may.
  const corpus = Array.from({ length: rounds }, () => [stored, ...(met === undefined ? [] : [{ case: met }])]).flat();
  const phase = createFuzzPhase({ runs: 500, corpus, kit: 'a2a-tck', shrinkCap: 60, shrinkMs: 30_000 });
  try {
    await fuzzOn({ ...agent, profile, seed: 1, timeoutMs: 3000 }, phase, changes);
  } finally {
    clearTimeout(limit);
    await agent.close();
  }
  return shown;
}

/** Exit code and output of a script. */
function runScript(file, url) {
  return new Promise((resolve) => {
    const child = spawn('sh', [file, url], { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
    // With what it has started, which else holds its output open.
    const limit = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 150_000);
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve({ code, said });
    });
  });
}

async function alone(cast, file) {
  const agent = await serveOne(cast);
  const { dialect } = agent;
  try {
    return await runScript(file, `${agent.base}${dialect.endpointPath || '/'}`);
  } finally {
    await agent.close();
  }
}

async function examine(fault) {
  const profile = fault.profiles?.[0] ?? 'a2a-0.3';
  const searched = await search(fault);
  if (searched === undefined) return { fault: fault.id, verdict: 'not found' };
  const { found } = searched;
  const shown = await onSockets(fault, searched);
  if (shown === undefined)
    return { fault: fault.id, steps: found.steps, bucket: found.bucket, verdict: 'only in memory' };
  const file = join(folder, `${fault.id}.sh`);
  writeFileSync(file, shown.script);
  const faulty = await alone({ profile, fault: fault.id }, file);
  const clean = await alone({ profile, variant: fault.on }, file);
  const verdict =
    faulty.code === 0 && clean.code === 1 ? 'shows it' : `exit ${faulty.code} with the fault, ${clean.code} without`;
  if (given.keep !== undefined) writeFileSync(join(folder, `${fault.id}.txt`), `${faulty.said}\n=====\n${clean.said}`);
  return { fault: fault.id, steps: shown.steps, bucket: shown.bucket, verdict };
}

// Faults that need signed calls or payments take long, so tests run the campaigns for them.
const chosen = fuzzFaults.filter(({ id, callers }) =>
  given.fault === undefined ? callers === undefined : given.fault.some((text) => id.includes(text)),
);
const rows = new Array(chosen.length);
let next = 0;
const work = async () => {
  for (let at = next++; at < chosen.length; at = next++) {
    rows[at] = await examine(chosen[at]);
    process.stderr.write(
      `${rows[at].fault}: ${rows[at].verdict}, ${rows[at].steps ?? '-'} requests, ${rows[at].bucket}\n`,
    );
  }
};
await Promise.all(Array.from({ length: Number(given.at) }, work));
if (given.keep === undefined) rmSync(folder, { recursive: true });

const table = columns([
  ['fault', 'requests', 'script', 'seen as'],
  ...rows.map((row) => [row.fault, row.steps ?? '-', row.verdict, row.bucket ?? '-']),
]);
const right = rows.filter(({ verdict }) => verdict === 'shows it');
const steps = right.map((row) => row.steps);
process.stdout.write(`${table}\n\n${right.length} of ${rows.length} scripts show their fault, and only it; `);
process.stdout.write(`${steps.length > 0 ? median(steps) : '-'} requests at the median\n`);
process.exitCode = right.length === rows.length ? 0 : 1;
