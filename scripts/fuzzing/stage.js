import { setMaxListeners } from 'node:events';

// Campaigns on a reference agent: in memory and virtual time, or on whatever a carrier reaches. The built kit is used.
const dist = new URL('../../dist/', import.meta.url);
const load = (path) => import(new URL(path, dist).href);

const [dialects, reference, running, wires, { createHttpCarrier }, proof, suites, seeded] = await Promise.all(
  [
    'src/dialect/index.js',
    'src/reference/index.js',
    'src/run/index.js',
    'src/wire/index.js',
    'src/wire/http.js',
    'src/proof/index.js',
    'suites/index.js',
    'fixtures/faults/index.js',
  ].map(load),
);

export const { fuzzFaults } = seeded;
export const { variants } = reference;
export const { dialects: allDialects } = dialects;

/** Who stands behind an id; an unknown one is an error of ours. */
function castOf({ fault: id, variant: name }) {
  const fault = id === undefined ? undefined : fuzzFaults.find((fuzzFault) => fuzzFault.id === id);
  if (id !== undefined && fault === undefined) throw new Error(`no fuzz fault ${id}`);
  const wanted = fault?.on ?? name;
  const variant = wanted === undefined ? undefined : variants.find((variant) => variant.id === wanted);
  if (wanted !== undefined && variant === undefined) throw new Error(`no variant ${wanted}`);
  return { fault, variant, patches: [variant?.patch, fault?.patch].filter((patch) => patch !== undefined) };
}

/** Variants of a dialect on which campaigns are run; agents that charge are asked for other things. */
export const variantsOf = (profile) =>
  variants.filter((variant) => variant.charges !== true && dialects.isFor(variant, dialects.dialectById(profile)));

/** Runs a campaign, and nothing else, on an agent that a carrier reaches. `changes`: of the stage that the run gives. */
export async function fuzzOn(
  { url, profile, seed, carrier, clock, callers = {}, rawSocket = false, restart, timeoutMs = 10_000 },
  phase,
  changes,
) {
  let outcome;
  // Every exchange under way listens to it.
  if (changes?.signal !== undefined) setMaxListeners(0, changes.signal);
  const { headers = [], query = [], secondHeaders = [], secondQuery = [], signing, charging } = callers;
  await running.run(
    {
      url,
      profile,
      rules: suites.rules,
      selection: { suites: [], checks: [], level: 'may' },
      carrier,
      rawSocket,
      clock,
      seed,
      limits: { timeoutMs, maxBytes: 4 << 20 },
      concurrency: 1,
      readOnly: false,
      credentials: headers,
      query,
      secondCredentials: secondHeaders,
      secondQuery,
      ...(signing === undefined ? {} : { signing }),
      ...(charging === undefined ? {} : { charging }),
      secrets: [],
      redactor: wires.openly,
      allowedOrigins: [],
      behaviours: {},
      ...(restart === undefined ? {} : { restart }),
      fuzz: {
        alone: true,
        phase: async (stage) => {
          outcome = await phase({ ...stage, ...changes });
          return outcome;
        },
      },
      strict: false,
      anyTarget: true,
      kit: { name: 'a2a-tck', version: 'bench' },
    },
    () => undefined,
  );
  return outcome;
}

/** The reference agent in memory, and how many requests have reached it. */
export async function stageAgent({ profile, fault, variant }) {
  const dialect = dialects.dialectById(profile);
  const cast = castOf({ fault, variant });
  const agent = await proof.stageAgent({ dialect, charges: cast.fault?.callers === 'pay' }, cast.patches, cast.variant);
  let requests = 0;
  const carrier = (request, signal) => {
    requests++;
    return agent.carrier(request, signal);
  };
  return { ...agent, carrier, fault: cast.fault, requests: () => requests, close: agent.end };
}

/** The same on a port of its own, and what reaches it; not where callers sign or pay. */
export async function serveOne({ profile, fault, variant }) {
  const dialect = dialects.dialectById(profile);
  const cast = castOf({ fault, variant });
  const { headers, query, secondHeaders, secondQuery } = cast.variant ?? {};
  const born = (baseUrl) =>
    reference.createAgent({
      dialect,
      clock: wires.realClock,
      baseUrl,
      patches: cast.patches,
      webhookHosts: reference.kitWebhooks,
    });
  let agent;
  let base = '';
  const crashes = [];
  const end = () => {
    agent.stop();
    crashes.push(...agent.crashes);
  };
  const served = await reference.serveAgent((baseUrl) => {
    base = baseUrl;
    agent = born(baseUrl);
    return (request, signal) => agent.handle(request, signal);
  });
  const carrier = createHttpCarrier();
  return {
    dialect,
    clock: wires.realClock,
    base: served.url,
    url: cast.variant?.cardUrl?.(served.url) ?? served.url,
    carrier,
    callers: { headers, query, secondHeaders, secondQuery },
    rawSocket: true,
    crashes,
    async restart() {
      end();
      agent = born(base);
    },
    async close() {
      end();
      await Promise.all([carrier.close(), served.close()]);
    },
  };
}
