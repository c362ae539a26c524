// Measures campaigns with all oracles against a bare loop of the same HTTP client that sends the same requests to the
// same agent in another process and parses the answers. Both take turns; compare ratios, not machines.
//
// Where a recorded request names a task of an earlier one, the loop names the task that its own request began: the
// recorded tasks have ended long ago, and a refusal is less work than a result. The share of results is printed for
// both.
//
// The agent is the plain reference agent, which answers faster than most. With --sdk it is an agent on @a2a-js/sdk.
//
// Requests that the agent works on for longer than a second count for neither: when they are sent again, their task has
// ended, and the answer comes at once. Meanwhile a campaign uses its other connections; with a single one it waits, and
// that time is subtracted. Only the campaign pauses between two looks at a task, and opens raw sockets, a connection
// each.
//
// The code of a campaign is compiled during its first 50,000 requests or so, that of a bare loop at once. So a campaign
// runs before the first round; `--warm 300` shows what a short campaign in a new process reaches.
//
// Also measures whether memory stays flat. Run `npm run build` first.
//
//   node scripts/bench-throughput.js [--warm 20000] [--cases 6000] [--rounds 5] [--connections 8,1]
//                                    [--profile a2a-0.3 | --sdk]
//   node --expose-gc scripts/bench-throughput.js --minutes 10
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { deserialize, serialize } from 'node:v8';
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

/** CPU time since a measurement, ms. */
function spent(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

/** The first ids of tasks and contexts in an answer; the id of the request may be among them. */
function idsIn(text) {
  const ids = [];
  for (const [, id] of text.slice(0, mostLooked).matchAll(/"(?:id|taskId|contextId)": ?"([\w-]{8,64})"/g)) {
    if (!ids.includes(id)) ids.push(id);
    if (ids.length === 3) break;
  }
  return ids;
}

const isGranted = (text) => text.slice(0, mostLooked).includes('"result":');

/** The recorded requests, split where they name ids from answers to earlier ones. Only these cost the loop anything. */
function scriptOf(requests) {
  const bodies = requests.map(({ body = [] }) =>
    body.length > mostLooked ? '' : Buffer.from(body).toString('latin1'),
  );
  // An answer also repeats the id of its request and ids in the request: those are not new.
  const begunBy = requests.map(({ ids }, at) => ids.filter((id) => !bodies[at].includes(id)));
  const begun = new Set(begunBy.flat());
  const named = new Set();
  const script = requests.map((request, at) => {
    const parts = bodies[at].split(/([\w-]{8,64})/);
    const names = parts.filter((part) => begun.has(part));
    for (const name of names) named.add(name);
    return { ...request, headers: request.headers.flat(), parts: names.length > 0 ? parts : undefined };
  });
  return script.map((item, at) => (begunBy[at].some((id) => named.has(id)) ? item : { ...item, ids: [] }));
}

/** Sends the same requests, reads and parses the answers, and does nothing else. */
async function bare(requests, connections) {
  const script = scriptOf(requests);
  const now = new Map();
  let granted = 0;
  const agent = new Agent({ connections, pipelining: 1, headersTimeout: answerMs, bodyTimeout: silenceMs });
  const cpu = process.cpuUsage();
  const course = courseOf(connections);
  let next = 0;
  async function lane() {
    for (let item = script[next++]; item !== undefined; item = script[next++]) {
      const note = course.begin();
      try {
        const { body } = await request(item.url, {
          dispatcher: agent,
          method: item.method,
          headers: item.headers,
          body: item.parts === undefined ? (item.body ?? null) : renamed(item.parts, now),
        });
        const text = await body.text();
        if (item.ids.length > 0) {
          const ids = idsIn(text);
          for (const [at, id] of item.ids.entries()) now.set(id, ids[at] ?? id);
        }
        if (isGranted(text)) granted++;
        JSON.parse(text);
      } catch {
        // Some answers have no body.
      }
      note();
    }
  }
  await Promise.all(Array.from({ length: connections }, lane));
  await agent.close();
  return { steady: course.perSecond(), cpuMs: spent(cpu) / requests.length, granted: granted / requests.length };
}

const renamed = (parts, now) => Buffer.from(parts.map((part) => now.get(part) ?? part).join(''), 'latin1');

const mostRecorded = 20_000;
/** Longer bodies are sent unchanged; this many characters of an answer are searched for ids. */
const mostLooked = 20_000;
const promptMs = 1000;
/** How long a campaign waits for an answer, and for the next piece of one, ms. */
const answerMs = 10_000;
const silenceMs = 1500;

/** Records when the first requests were sent. With one connection, long waits for answers are subtracted. */
function courseOf(connections) {
  const times = [];
  let slowMs = 0;
  return {
    begin() {
      const at = performance.now();
      if (times.length < mostRecorded) times.push(at - slowMs);
      return () => {
        const took = performance.now() - at;
        if (connections === 1 && took >= promptMs) slowMs += took;
      };
    },
    /**
     * Without the first fifth and the last tenth: at its start a campaign makes one-time requests and its code is not
     * compiled yet; at its end it waits for slow answers and sends nothing.
     */
    perSecond() {
      const [from, to] = [0.2, 0.9].map((share) => Math.floor(times.length * share));
      return (1000 * (to - from)) / (times[to] - times[from]);
    },
    get slowMs() {
      return slowMs;
    },
  };
}

/** Runs one campaign on the agent at a URL. Returns its summary and the CPU time that it took. */
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

/** Also passes every piece of a body to `hear`. Not a generator: its `return` would wait for the pending piece. */
function passing(body, hear) {
  const pieces = body[Symbol.asyncIterator]();
  const passedOn = {
    [Symbol.asyncIterator]: () => passedOn,
    async next() {
      const piece = await pieces.next();
      if (!piece.done) hear(piece.value);
      return piece;
    },
    return: async () => pieces.return?.() ?? { done: true, value: undefined },
  };
  return passedOn;
}

/** The requests of such a campaign, serialized: a list of that length would slow down the campaign that is timed. */
async function recorded(wanted) {
  const sent = [];
  const around = (http) => async (item, signal) => {
    if (sent.length >= mostRecorded) return http(item, signal);
    const at = performance.now();
    const { url, method, headers, body } = item;
    const kept = { request: { url, method, headers, body }, prompt: false, text: '' };
    sent.push(kept);
    const answer = await http(item, signal);
    kept.prompt = performance.now() - at < promptMs;
    const decoder = new TextDecoder();
    function hear(bytes) {
      if (kept.text.length < mostLooked) kept.text += decoder.decode(bytes, { stream: true });
    }
    return { ...answer, body: passing(answer.body, hear) };
  };
  await campaign({ ...wanted, around });
  const prompt = sent.filter((item) => item.prompt);
  return serialize({
    requests: prompt.map(({ request, text }) => ({ ...request, ids: idsIn(text) })),
    granted: prompt.filter(({ text }) => isGranted(text)).length / prompt.length,
  });
}

/** Runs the campaign and measures how fast it is. */
async function timed(wanted) {
  const course = courseOf(wanted.concurrency);
  const around = (http) => (item, signal) => {
    const note = course.begin();
    const answer = http(item, signal);
    answer.then(note, note);
    return answer;
  };
  const measured = await campaign({ ...wanted, around });
  return { ...measured, steady: course.perSecond(), slowMs: course.slowMs };
}

/** Prints one line for each number of connections; returns the ratios. */
export async function benchThroughput({
  warm = 20_000,
  cases = 6000,
  rounds = 5,
  connections = [8, 1],
  profile = 'a2a-0.3',
  sdk = false,
} = {}) {
  const ratios = [];
  const first = await served({ profile, sdk });
  await campaign({ url: first.url, profile, seed: 0, runs: warm, concurrency: 8 });
  first.stop();
  for (const count of connections) {
    const runs = [];
    for (let seed = 1; seed <= rounds; seed++) {
      const wanted = { profile, seed, runs: cases, concurrency: count };
      const agent = await served({ profile, sdk });
      const record = await recorded({ url: agent.url, ...wanted });
      const fuzzed = await timed({ url: agent.url, ...wanted });
      const { requests, granted } = deserialize(record);
      const plain = await bare(requests, count);
      agent.stop();
      runs.push({
        ...fuzzed,
        plain: plain.steady,
        plainCpuMs: plain.cpuMs,
        granted: 100 * granted,
        plainGranted: 100 * plain.granted,
        ratio: fuzzed.steady / plain.steady,
      });
    }
    const of = (name) => median(runs.map((run) => run[name]));
    ratios.push(of('ratio'));
    const figures = `${of('steady').toFixed(0)} of ${of('plain').toFixed(0)} requests per second, ${of('perSecond').toFixed(0)} with its end`;
    const cpu = `${of('cpuMs').toFixed(2)} and ${of('plainCpuMs').toFixed(2)} ms of CPU each, ${of('granted').toFixed(0)} and ${of('plainGranted').toFixed(0)} % results`;
    console.log(
      `${`fuzz ${sdk ? 'SDK agent' : profile}: ratio to a bare loop, ${count} at once`.padEnd(46)} ${of('ratio').toFixed(2)} (${figures}, ${cpu})`,
    );
    const each = runs.map(
      ({ ratio, steady, plain, slowMs }) =>
        `${ratio.toFixed(2)} (${steady.toFixed(0)} of ${plain.toFixed(0)}, without ${(slowMs / 1000).toFixed(0)} s)`,
    );
    console.log(`  rounds: ${each.join(', ')}`);
    for (const { seed, findings } of runs) {
      if (findings.length > 0) console.log(`  seed ${seed} found ${findings.join(', ')}`);
    }
  }
  return ratios;
}

const mebibytes = (bytes) => `${(bytes / 1024 / 1024).toFixed(0)} MiB`;

/** Runs one campaign of this many minutes; prints the memory after a collection, a minute in and at the end. */
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
    const all = samples.map((sample) => mebibytes(sample[what])).join(' ');
    console.log(`${what}: ${mebibytes(first[what])} after a minute, ${mebibytes(last[what])} at the end (${all})`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      warm: { type: 'string', default: '20000' },
      cases: { type: 'string', default: '6000' },
      rounds: { type: 'string', default: '5' },
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
      warm: Number(values.warm),
      cases: Number(values.cases),
      rounds: Number(values.rounds),
      connections: values.connections.split(',').map(Number),
      profile,
      sdk,
    });
  }
}
