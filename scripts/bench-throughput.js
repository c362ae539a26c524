// How fast campaigns are: with all oracles, against a bare loop of the same HTTP client that sends the same requests to
// the same agent in another process and parses what comes. Both take turns; compare ratios, not machines.
//
// The agent is the plain one. With --sdk it is an agent on @a2a-js/sdk: the reference agent answers faster than most. With
// several at once, what the agent works on for longer than a second is left out of the loop, since a campaign gives its
// place to others meanwhile. One at a time, both wait for it. What goes over bare sockets, a connection each, and pauses
// between two looks at a task, are in the campaign alone.
//
// And whether memory stays flat. Run `npm run build` first.
//
//   node scripts/bench-throughput.js [--cases 6000] [--rounds 3] [--connections 8,1] [--profile a2a-0.3 | --sdk]
//   node --expose-gc scripts/bench-throughput.js --minutes 10
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
// biome-ignore lint/style/noRestrictedImports: it is what the kit is compared with
import { Agent, request } from 'undici';

const dist = join(dirname(fileURLToPath(import.meta.url)), '../dist');
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** An agent in a process of its own. */
async function served({ profile, sdk }) {
  const reference = [join(dist, 'src/cli/main.js'), 'serve', '--profile', profile];
  const real = [fileURLToPath(new URL('./fuzzing/sdk-agent.js', import.meta.url))];
  const child = spawn(process.execPath, sdk ? real : reference, { stdio: ['ignore', 'pipe', 'ignore'] });
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
  const agent = new Agent({ connections, pipelining: 1, headersTimeout: answerMs, bodyTimeout: silenceMs });
  const cpu = process.cpuUsage();
  const times = [];
  let next = 0;
  async function lane() {
    for (let one = requests[next++]; one !== undefined; one = requests[next++]) {
      times.push(performance.now());
      try {
        const { body } = await request(one.url, {
          dispatcher: agent,
          method: one.method,
          headers: one.headers.flat(),
          body: one.body ?? null,
        });
        JSON.parse(await body.text());
      } catch {
        // Some answers have no body.
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, lane));
  await agent.close();
  return { steady: steady(times), cpuMs: spent(cpu) / requests.length };
}

const mostRecorded = 20_000;
const promptMs = 1000;
/** How long a campaign waits for an answer, and for the next piece of one, ms. */
const answerMs = 10_000;
const silenceMs = 1500;

/**
 * Per second, without the first fifth and the last tenth: a campaign begins with looks that it takes once, and code that
 * is not compiled yet; at its end it waits for what is slow, and sends nothing.
 */
function steady(times) {
  const [from, to] = [0.2, 0.9].map((share) => Math.floor(times.length * share));
  return (1000 * (to - from)) / (times[to] - times[from]);
}

/** One campaign on the agent at a URL: what it did, and the CPU that it took. */
async function campaign({ url, profile, seed, around = (http) => http, ...settings }, onProgress = () => undefined) {
  const { createFuzzPhase } = await import(join(dist, 'src/fuzz/index.js'));
  const { createHttpCarrier } = await import(join(dist, 'src/wire/http.js'));
  const { realClock } = await import(join(dist, 'src/wire/index.js'));
  const { fuzzOn } = await import('./fuzzing/stage.js');
  const http = createHttpCarrier();
  const phase = createFuzzPhase({ kit: 'bench', shrinkCap: 20, ...settings });
  let measured;
  await fuzzOn({ url, profile, seed, carrier: around(http), clock: realClock, rawSocket: true }, async (stage) => {
    const [started, cpu] = [performance.now(), process.cpuUsage()];
    const outcome = await phase({ ...stage, onProgress });
    const { requests } = outcome.summary;
    measured = {
      ...outcome.summary,
      findings: outcome.findings.map(({ bucket }) => bucket),
      perSecond: (1000 * requests) / (performance.now() - started),
      cpuMs: spent(cpu) / requests,
    };
    return outcome;
  });
  await http.close();
  return measured;
}

/** What such a campaign sends; a list of that length must not weigh on the one that is timed. */
async function recorded(wanted) {
  const sent = [];
  const isAlone = wanted.concurrency === 1;
  const around = (http) => (one, signal) => {
    const at = performance.now();
    const answer = http(one, signal);
    function keep() {
      if ((isAlone || performance.now() - at < promptMs) && sent.length < mostRecorded) sent.push(one);
    }
    answer.then(keep, isAlone ? keep : () => undefined);
    return answer;
  };
  await campaign({ ...wanted, around });
  return sent;
}

/** The same, with the time of each request that the loop sends too. */
async function timed(wanted) {
  const times = [];
  const around = (http) => (one, signal) => {
    if (times.length < mostRecorded) times.push(performance.now());
    return http(one, signal);
  };
  const measured = await campaign({ ...wanted, around });
  return { ...measured, steady: steady(times) };
}

/** Prints one line for each number of connections; gives the ratios. */
export async function benchThroughput({
  cases = 6000,
  rounds = 3,
  connections = [8, 1],
  profile = 'a2a-0.3',
  sdk = false,
} = {}) {
  const ratios = [];
  // Schemas and oracles are compiled at their first use.
  const first = await served({ profile, sdk });
  await campaign({ url: first.url, profile, seed: 0, runs: 300, concurrency: 8 });
  first.stop();
  for (const count of connections) {
    const runs = [];
    for (let seed = 1; seed <= rounds; seed++) {
      const wanted = { profile, seed, runs: cases, concurrency: count };
      const agent = await served({ profile, sdk });
      const sent = await recorded({ url: agent.url, ...wanted });
      const fuzzed = await timed({ url: agent.url, ...wanted });
      const plain = await bare(sent, count);
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
      `${`fuzz ${sdk ? 'SDK agent' : profile}: ratio to a bare loop, ${count} at once`.padEnd(46)} ${of('ratio').toFixed(2)} (${figures}, ${cpu})`,
    );
    const each = runs.map(
      ({ ratio, steady, plain }) => `${ratio.toFixed(2)} (${steady.toFixed(0)} of ${plain.toFixed(0)})`,
    );
    console.log(`  rounds: ${each.join(', ')}`);
    for (const { seed, findings } of runs) {
      if (findings.length > 0) console.log(`  seed ${seed} found ${findings.join(', ')}`);
    }
  }
  return ratios;
}

const mebibytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;

/** One campaign of so many minutes; memory after a collection once it is warm, and at its end. */
async function benchMemory(minutes, profile, sdk) {
  if (globalThis.gc === undefined) throw new Error('run it with node --expose-gc');
  const agent = await served({ profile, sdk });
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
      sdk: { type: 'boolean', default: false },
      minutes: { type: 'string' },
    },
  });
  const { profile, minutes, sdk } = values;
  if (minutes !== undefined) await benchMemory(Number(minutes), profile, sdk);
  else {
    await benchThroughput({
      cases: Number(values.cases),
      rounds: Number(values.rounds),
      connections: values.connections.split(',').map(Number),
      profile,
      sdk,
    });
  }
}
