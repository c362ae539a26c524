// How fast campaigns are: with all oracles, against a bare loop of the same HTTP client that sends the same requests to
// the same agent in another process and parses what comes. Both take turns; compare ratios, not machines.
//
// A stream lasts as long as the agent works on its task, whoever listens, and a silent one until the listener gives up.
// When the loop sends the same again those tasks have ended. With several connections it therefore holds each stream for as
// long as the campaign did, beside the others as a campaign does. With one connection, which a stream occupies, streams and
// their time are left out of both. What goes over bare sockets is in the campaign alone.
//
// And whether memory stays flat. Run `npm run build` first.
//
//   node scripts/bench-throughput.js [--cases 6000] [--rounds 3] [--connections 8,1] [--profile a2a-0.3]
//   node --expose-gc scripts/bench-throughput.js --minutes 10
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
// biome-ignore lint/style/noRestrictedImports: it is what the kit is compared with
import { Agent, request } from 'undici';

const dist = join(dirname(fileURLToPath(import.meta.url)), '../dist');
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** The reference agent in a process of its own. */
async function served(profile) {
  const main = join(dist, 'src/cli/main.js');
  const variant = profile.startsWith('a2a-') ? ['--variant', 'streaming-and-push'] : [];
  const child = spawn(process.execPath, [main, 'serve', '--profile', profile, ...variant], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  return { url, stop: () => child.kill() };
}

/** CPU since then, ms. */
function spent(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/** The same requests without anything else: sent, read, parsed. */
async function bare(requests, connections) {
  const agent = new Agent({ pipelining: 1, headersTimeout: 10_000 });
  const cpu = process.cpuUsage();
  async function once({ one, heldMs }) {
    const held = heldMs === undefined ? undefined : setTimeout(heldMs);
    try {
      const { body } = await request(one.url, {
        dispatcher: agent,
        method: one.method,
        headers: one.headers.flat(),
        body: one.body ?? null,
        // What the campaign dropped does not end by itself.
        ...(heldMs === undefined ? {} : { signal: AbortSignal.timeout(Math.ceil(heldMs) + 20) }),
      });
      JSON.parse(await body.text());
    } catch {
      // Some answers have no body, and streams are no JSON.
    }
    await held;
  }
  const streams = [];
  const times = [];
  let next = 0;
  async function lane() {
    for (let one = requests[next++]; one !== undefined; one = requests[next++]) {
      times.push(performance.now());
      const answered = once(one);
      if (one.heldMs === undefined) await answered;
      else streams.push(answered);
    }
  }
  await Promise.all(Array.from({ length: connections }, lane));
  const cpuMs = spent(cpu) / requests.length;
  await Promise.all(streams);
  await agent.close();
  return { steady: steady(times), cpuMs };
}

const isStreamed = ({ headers }) =>
  headers.some(([name, value]) => name === 'accept' && value.includes('event-stream'));
const mostRecorded = 20_000;

/**
 * Per second, without the first fifth and the last tenth: a campaign begins with looks that it takes once, and code that
 * is not compiled yet; at its end it waits for what is slow, and sends nothing.
 */
function steady(times) {
  const [from, to] = [0.2, 0.9].map((share) => Math.floor(times.length * share));
  return (1000 * (to - from)) / (times[to] - times[from]);
}

/** Times on a clock that stands while a stream is open. */
function besideStreams(sent) {
  const marks = sent.flatMap(({ at, heldMs }) =>
    heldMs === undefined
      ? [{ at, opens: 0 }]
      : [
          { at, opens: 1 },
          { at: at + heldMs, opens: -1 },
        ],
  );
  marks.sort((a, b) => a.at - b.at);
  const times = [];
  let [open, stood, since] = [0, 0, 0];
  for (const { at, opens } of marks) {
    if (open > 0) stood += at - since;
    since = at;
    open += opens;
    if (opens === 0) times.push(at - stood);
  }
  return times;
}

/** An answer, and when it had been read. */
async function held(answer, onEnd) {
  try {
    const { body, ...head } = await answer;
    const watched = async function* () {
      try {
        yield* body;
      } finally {
        onEnd(performance.now());
      }
    };
    return { ...head, body: watched() };
  } catch (error) {
    onEnd(performance.now());
    throw error;
  }
}

/** One campaign on the agent at a URL: what it did, the CPU that it took, and what it sent. */
async function campaign({ url, profile, seed, ...settings }, onProgress = () => undefined) {
  const { createFuzzPhase } = await import(join(dist, 'src/fuzz/index.js'));
  const { createHttpCarrier } = await import(join(dist, 'src/wire/http.js'));
  const { realClock } = await import(join(dist, 'src/wire/index.js'));
  const { fuzzOn } = await import('./fuzzing/stage.js');
  const http = createHttpCarrier();
  const sent = [];
  const times = [];
  const carrier = (one, signal) => {
    if (settings.timeMs !== undefined) return http(one, signal);
    const at = performance.now();
    times.push(at);
    if (sent.length >= mostRecorded || one.method !== 'POST') return http(one, signal);
    const record = isStreamed(one) ? { one, at, heldMs: 0 } : { one, at };
    sent.push(record);
    if (record.heldMs === undefined) return http(one, signal);
    return held(http(one, signal), (end) => {
      record.heldMs = end - at;
    });
  };
  const phase = createFuzzPhase({ kit: 'bench', shrinkCap: 20, ...settings });
  let measured;
  await fuzzOn({ url, profile, seed, carrier, clock: realClock, rawSocket: true }, async (stage) => {
    const [started, cpu] = [performance.now(), process.cpuUsage()];
    const outcome = await phase({ ...stage, onProgress });
    const { requests } = outcome.summary;
    measured = {
      ...outcome.summary,
      findings: outcome.findings.map(({ bucket }) => bucket),
      perSecond: (1000 * requests) / (performance.now() - started),
      steady: steady(settings.concurrency === 1 ? besideStreams(sent) : times),
      cpuMs: spent(cpu) / requests,
      sent: settings.concurrency === 1 ? sent.filter(({ heldMs }) => heldMs === undefined) : sent,
    };
    return outcome;
  });
  await http.close();
  return measured;
}

/** Prints one line for each number of connections; gives the ratios. */
export async function benchThroughput({ cases = 6000, rounds = 3, connections = [8, 1], profile = 'a2a-0.3' } = {}) {
  const ratios = [];
  // Schemas and oracles are compiled at their first use.
  const first = await served(profile);
  await campaign({ url: first.url, profile, seed: 0, runs: 300, concurrency: 8 });
  first.stop();
  for (const count of connections) {
    const runs = [];
    for (let seed = 1; seed <= rounds; seed++) {
      const agent = await served(profile);
      const fuzzed = await campaign({ url: agent.url, profile, seed, runs: cases, concurrency: count });
      const plain = await bare(fuzzed.sent, count);
      agent.stop();
      runs.push({
        ...fuzzed,
        plain: plain.steady,
        plainCpuMs: plain.cpuMs,
        ratio: fuzzed.steady / plain.steady,
      });
    }
    const of = (name) => median(runs.map((one) => one[name]));
    ratios.push(of('ratio'));
    const figures = `${of('steady').toFixed(0)} of ${of('plain').toFixed(0)} requests per second, ${of('perSecond').toFixed(0)} with its end`;
    const cpu = `${of('cpuMs').toFixed(2)} and ${of('plainCpuMs').toFixed(2)} ms of CPU each`;
    console.log(
      `${`fuzz ${profile}: ratio to a bare loop, ${count} at once`.padEnd(46)} ${of('ratio').toFixed(2)} (${figures}, ${cpu})`,
    );
    for (const { seed, findings } of runs) {
      if (findings.length > 0) console.log(`  seed ${seed} found ${findings.join(', ')}`);
    }
  }
  return ratios;
}

const mebibytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;

/** One campaign of so many minutes; memory after a collection once it is warm, and at its end. */
async function benchMemory(minutes, profile) {
  if (globalThis.gc === undefined) throw new Error('run it with node --expose-gc');
  const agent = await served(profile);
  const samples = [];
  let next = performance.now() + 60_000;
  function sample() {
    globalThis.gc();
    const { rss, heapUsed } = process.memoryUsage();
    samples.push({ rss, heapUsed });
  }
  const { cases, requests } = await campaign(
    { url: agent.url, profile, seed: 1, runs: Number.MAX_SAFE_INTEGER, timeMs: minutes * 60_000, concurrency: 8 },
    () => {
      if (performance.now() < next) return;
      next += 60_000;
      sample();
    },
  );
  agent.stop();
  const [first, last] = [samples[0], samples.at(-1)];
  console.log(`fuzz ${profile}: ${cases} cases, ${requests} requests in ${minutes} minutes`);
  for (const what of ['rss', 'heapUsed']) {
    const all = samples.map((one) => mebibytes(one[what])).join(' ');
    console.log(`${what}: ${mebibytes(first[what])} after a minute, ${mebibytes(last[what])} at the end (${all})`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      cases: { type: 'string', default: '6000' },
      rounds: { type: 'string', default: '3' },
      connections: { type: 'string', default: '8,1' },
      profile: { type: 'string', default: 'a2a-0.3' },
      minutes: { type: 'string' },
    },
  });
  const { profile, minutes } = values;
  if (minutes !== undefined) await benchMemory(Number(minutes), profile);
  else {
    await benchThroughput({
      cases: Number(values.cases),
      rounds: Number(values.rounds),
      connections: values.connections.split(',').map(Number),
      profile,
    });
  }
}
