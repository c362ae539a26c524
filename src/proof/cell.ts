import { createHash, type Hash } from 'node:crypto';
import type { Dialect } from '../dialect/index.js';
import type { Rule } from '../kit/index.js';
import {
  type Agent,
  createAgent,
  createChain,
  createFacilitator,
  type Fault,
  type Impostor,
  kitWebhooks,
  memoryArchive,
  merchant,
  type Patch,
  residentKey,
  residents,
  type Variant,
} from '../reference/index.js';
import { type Report, run, type X402Options, type XprOptions } from '../run/index.js';
import {
  type Carrier,
  type Clock,
  type Exchange,
  memoryWebhooks,
  type OpenWebhooks,
  openly,
  virtualClock,
} from '../wire/index.js';

/** The agents that a proof sets all checks on. */
export interface Cast {
  readonly dialect: Dialect;
  readonly rules: readonly Rule[];
  readonly faults: readonly Fault[];
  readonly variants: readonly Variant[];
  readonly impostors: readonly Impostor[];
  /** The agents charge, and the checks of payments are set on them. Left out: all others are. */
  readonly x402?: boolean;
}

/** One agent of the cast, by name: it can be handed to another thread. */
export type Role =
  | { readonly type: 'clean' }
  | { readonly type: 'fault' | 'variant' | 'impostor'; readonly id: string };

/** What all checks said of one agent. */
export interface Row {
  readonly role: Role;
  readonly pass: readonly string[];
  /** With the reasons of all that failed or ended in an error. */
  readonly fail: Readonly<Record<string, string>>;
  readonly error: Readonly<Record<string, string>>;
  /** The same for two agents that gave the same answers, byte by byte. */
  readonly answers: string;
  /** What the agent threw inside: a defect of the fault or of the agent, never a kill. */
  readonly crashes: readonly string[];
}

const baseUrl = 'http://agent.test';
/** Where the kit listens on a user's machine, so that the agents judge it as they would there. */
const webhooksUrl = 'http://127.0.0.1:48080';

/** Where the agents find the chain, if their callers sign. */
const chainUrl = 'http://chain.test';
/** And the facilitator, if they charge. */
const facilitatorUrl = 'http://facilitator.test';

/** What the kit is given of an agent that knows its callers. */
type Callers = Partial<Pick<Variant, 'headers' | 'query' | 'secondHeaders' | 'secondQuery'>> & {
  readonly xpr?: XprOptions;
  readonly x402?: X402Options;
};

/** One run of all checks: same seed, virtual time, one check after the other. */
function judge(
  cast: Cast,
  carrier: Carrier,
  clock: Clock,
  url: string,
  callers: Callers,
  webhooks: OpenWebhooks,
  restart?: () => Promise<void>,
): Promise<Report> {
  return run(
    {
      url,
      profile: cast.dialect.id,
      rules: cast.rules,
      selection: { suites: cast.x402 === true ? ['x402'] : [], checks: [], level: 'may' },
      carrier,
      rawSocket: false,
      clock,
      seed: 1,
      limits: { timeoutMs: 10_000, maxBytes: 4 << 20 },
      concurrency: 1,
      readOnly: false,
      credentials: callers.headers ?? [],
      query: callers.query ?? [],
      secondCredentials: callers.secondHeaders ?? [],
      secondQuery: callers.secondQuery ?? [],
      ...(callers.xpr === undefined ? {} : { xpr: callers.xpr }),
      ...(callers.x402 === undefined ? {} : { x402: callers.x402 }),
      secrets: [],
      redactor: openly,
      allowedOrigins: [],
      behaviours: {},
      webhooks,
      ...(restart === undefined ? {} : { restart }),
      strict: false,
      anyTarget: true,
      kit: { name: 'a2a-tck', version: 'proof' },
    },
    () => undefined,
  );
}

/** Status, headers and body of every answer, and of every notification, in order. */
function digest(exchanges: readonly Exchange[]): string {
  const hash: Hash = createHash('sha256');
  for (const { request, response, failure, toWebhook } of exchanges) {
    hash.update(JSON.stringify([request.url, response?.status, response?.headers, failure?.kind]));
    // There the agent speaks first.
    if (toWebhook) hash.update(JSON.stringify([request.method, request.headers])).update(request.body ?? '');
    if (response !== undefined) hash.update(response.body);
  }
  return hash.digest('hex');
}

function rowOf(role: Role, report: Report, crashes: readonly unknown[]): Row {
  const reasons = (verdict: string): Record<string, string> =>
    Object.fromEntries(report.checks.filter((one) => one.verdict === verdict).map((one) => [one.id, one.reason]));
  return {
    role,
    pass: Object.keys(reasons('pass')),
    fail: reasons('fail'),
    error: reasons('error'),
    answers: digest(report.exchanges),
    crashes: crashes.map(String),
  };
}

function headersOf({ headers = [], query = [], secondHeaders = [], secondQuery = [] }: Partial<Variant> = {}): Callers {
  return { headers, query, secondHeaders, secondQuery };
}

/** Those whom the chain knows, for the kit. */
const caller = (account: string) => ({ account, key: residentKey(account) });

/** Where callers sign: a chain of its own for each agent, and all that can be told of it. */
async function signing({ dialect }: Cast, clock: Clock, variant: Variant | undefined) {
  if (dialect.signed === undefined) return { agent: {}, callers: {} };
  const chain = createChain({ clock });
  const lab = await residents(chain.control);
  const xpr: XprOptions = {
    first: caller('alice'),
    second: caller('bob'),
    unregistered: caller('carol'),
    digest: dialect.signed === 5 ? 'v2' : 'v1',
    audience: 'tckagent',
    chainId: await lab.chainId(),
    rate: 20,
    allowSend: true,
    slow: true,
    lab,
    ...variant?.xpr,
  };
  return { agent: { chain: { url: chainUrl, carrier: chain.handle } }, callers: { xpr } };
}

/** Bytes that are the same in each run. */
function repeatable(): X402Options['random'] {
  let count = 0;
  return (length) => createHash('shake256', { outputLength: length }).update(`x402 ${count++}`).digest();
}

/** Where the agents charge: a facilitator of its own for each, and all that the kit is told of it. */
function charging({ x402 = false }: Cast, clock: Clock, variant: Variant | undefined) {
  if (!x402) return { agent: {}, patches: [], callers: {} };
  const facilitator = createFacilitator({ clock });
  const options: X402Options = {
    message: variant?.x402?.message ?? 'paid-echo',
    timeoutMs: 60_000,
    random: repeatable(),
    ...(variant?.x402?.lab === false ? {} : { lab: facilitator.control }),
  };
  const asked = { url: facilitatorUrl, carrier: facilitator.handle };
  return { agent: { facilitator: asked }, patches: [merchant()], callers: { x402: options } };
}

async function onAgent(cast: Cast, role: Role, patches: readonly Patch[], variant: Variant | undefined): Promise<Row> {
  const clock = virtualClock();
  const webhooks = memoryWebhooks(webhooksUrl);
  const archive = memoryArchive();
  const signed = await signing(cast, clock, variant);
  const paid = charging(cast, clock, variant);
  const born = (): Agent =>
    createAgent({
      dialect: cast.dialect,
      clock,
      baseUrl,
      patches: [...paid.patches, ...patches],
      outbound: webhooks.carrier,
      webhookHosts: kitWebhooks,
      archive,
      ...signed.agent,
      ...paid.agent,
    });
  let agent = born();
  const crashes: unknown[] = [];
  const end = (): void => {
    agent.stop();
    crashes.push(...agent.crashes);
  };
  const restart = async (): Promise<void> => {
    end();
    agent = born();
  };
  const url = variant?.cardUrl?.(baseUrl) ?? baseUrl;
  const carrier: Carrier = (request, signal) => agent.handle(request, signal);
  const report = await judge(
    cast,
    carrier,
    clock,
    url,
    { ...headersOf(variant), ...signed.callers, ...paid.callers },
    webhooks.open,
    restart,
  );
  end();
  return rowOf(role, report, crashes);
}

async function onImpostor(cast: Cast, role: Role, impostor: Impostor): Promise<Row> {
  const clock = virtualClock();
  const carrier = impostor.carrier({ dialect: cast.dialect, clock, baseUrl });
  const callers = { ...(await signing(cast, clock, undefined)).callers, ...charging(cast, clock, undefined).callers };
  return rowOf(role, await judge(cast, carrier, clock, baseUrl, callers, memoryWebhooks(webhooksUrl).open), []);
}

/** Sets all checks on one agent. Throws for a role that the cast does not have. */
export function play(cast: Cast, role: Role): Promise<Row> {
  const find = <T extends { readonly id: string }>(all: readonly T[], id: string): T => {
    const found = all.find((one) => one.id === id);
    if (found === undefined) throw new Error(`the cast has no ${role.type} ${id}`);
    return found;
  };
  switch (role.type) {
    case 'clean':
      return onAgent(cast, role, [], undefined);
    case 'variant': {
      const variant = find(cast.variants, role.id);
      return onAgent(cast, role, [variant.patch], variant);
    }
    case 'fault': {
      const { on, patch } = find(cast.faults, role.id);
      const variant = on === undefined ? undefined : cast.variants.find((one) => one.id === on);
      return onAgent(cast, role, variant === undefined ? [patch] : [variant.patch, patch], variant);
    }
    case 'impostor':
      return onImpostor(cast, role, find(cast.impostors, role.id));
  }
}
