import { createHash } from 'node:crypto';
import { signingFor, surroundings } from '../../packs/index.js';
import type { Dialect } from '../dialect/index.js';
import {
  type Agent,
  createAgent,
  createFacilitator,
  kitWebhooks,
  memoryArchive,
  merchant,
  type Patch,
  type Variant,
} from '../reference/index.js';
import type { CallSigning, RunOptions, X402Options } from '../run/index.js';
import { type Carrier, type Clock, memoryWebhooks, virtualClock } from '../wire/index.js';

// The reference agent in memory and virtual time, with the services that it calls and the options of the kit for it.

export const baseUrl = 'http://agent.test';
/** The address where the kit listens on a user's machine, so that agents treat it as they would there. */
export const webhooksUrl = 'http://127.0.0.1:48080';

/** Where the agents find the facilitator, if they charge. */
const facilitatorUrl = 'http://facilitator.test';

/** The credentials and options that the kit gets for an agent that knows its callers. */
export type Callers = Partial<Pick<Variant, 'headers' | 'query' | 'secondHeaders' | 'secondQuery'>> & {
  readonly signing?: CallSigning;
  readonly x402?: X402Options;
};

/** An agent that can be judged. Each has a clock of its own. */
export interface StagedAgent {
  readonly clock: Clock;
  /** Where the kit looks for it. */
  readonly url: string;
  readonly carrier: Carrier;
  readonly callers: Callers;
  readonly webhooks: ReturnType<typeof memoryWebhooks>;
  /** Errors thrown inside the agent so far, also before it was restarted. */
  readonly crashes: readonly unknown[];
  /** Replaces the agent by a new one with the same tasks. */
  restart(): Promise<void>;
  /** Stops all background work of the agent. */
  end(): void;
}

/** The options of a run that depend on the agent. */
export const toldOf = ({
  url,
  carrier,
  clock,
  callers,
  webhooks,
  restart,
}: Pick<StagedAgent, 'url' | 'carrier' | 'clock' | 'callers' | 'webhooks'> & Partial<Pick<StagedAgent, 'restart'>>) =>
  ({
    url,
    carrier,
    clock,
    credentials: callers.headers ?? [],
    query: callers.query ?? [],
    secondCredentials: callers.secondHeaders ?? [],
    secondQuery: callers.secondQuery ?? [],
    ...(callers.signing === undefined ? {} : { signing: callers.signing }),
    ...(callers.x402 === undefined ? {} : { x402: callers.x402 }),
    webhooks: webhooks.open,
    ...(restart === undefined ? {} : { restart }),
  }) satisfies Partial<RunOptions>;

/** The properties of an agent that decide which services and options it needs. */
interface Asked {
  readonly dialect: Dialect;
  /** The agents charge. */
  readonly x402?: boolean;
}

function headersOf({ headers = [], query = [], secondHeaders = [], secondQuery = [] }: Partial<Variant> = {}): Callers {
  return { headers, query, secondHeaders, secondQuery };
}

/** Where calls are signed: what the agent asks, separate for each, and how the kit signs. */
async function signing(dialect: Dialect, clock: Clock, variant: Variant | undefined) {
  const around = await surroundings(dialect, clock, { rate: 20, slow: true });
  if (around === undefined) return { agent: {}, impostor: {}, callers: {} };
  const { signing } = await signingFor(around.callers(variant?.told), around.service);
  return { agent: { part: around.part }, impostor: { part: around.alone }, callers: { signing } };
}

/** A source of bytes that are the same in each run. */
function repeatable(): X402Options['random'] {
  let count = 0;
  return (length) => createHash('shake256', { outputLength: length }).update(`x402 ${count++}`).digest();
}

/** For agents that charge: a separate facilitator for each, and the options of the kit for it. */
function charging(x402: boolean, clock: Clock, variant: Variant | undefined) {
  if (!x402) return { agent: {}, patches: [], callers: {} };
  const facilitator = createFacilitator({ clock });
  const options: X402Options = {
    message: variant?.x402?.message ?? 'paid-echo',
    timeoutMs: 60_000,
    random: repeatable(),
    ...(variant?.x402?.stub === false ? {} : { stub: facilitator.control }),
  };
  const asked = { url: facilitatorUrl, carrier: facilitator.handle };
  return { agent: { facilitator: asked }, patches: [merchant()], callers: { x402: options } };
}

/** The same options of the kit for an impostor, and what makes it: it asks neither about callers nor about payments. */
export async function stageImpostor({ dialect, x402 = false }: Asked, clock: Clock) {
  const { impostor, callers } = await signing(dialect, clock, undefined);
  return {
    context: { dialect, clock, baseUrl, ...impostor },
    callers: { ...callers, ...charging(x402, clock, undefined).callers } satisfies Callers,
  };
}

export async function stageAgent(
  { dialect, x402 = false, base = [] }: Asked & { readonly base?: readonly Patch[] },
  patches: readonly Patch[],
  variant: Variant | undefined,
): Promise<StagedAgent> {
  const clock = virtualClock();
  const webhooks = memoryWebhooks(webhooksUrl);
  const archive = memoryArchive();
  const signed = await signing(dialect, clock, variant);
  const paid = charging(x402, clock, variant);
  const born = (): Agent =>
    createAgent({
      dialect,
      clock,
      baseUrl,
      patches: [...paid.patches, ...base, ...patches],
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
  return {
    clock,
    webhooks,
    crashes,
    url: variant?.cardUrl?.(baseUrl) ?? baseUrl,
    carrier: (request, signal) => agent.handle(request, signal),
    callers: { ...headersOf(variant), ...signed.callers, ...paid.callers },
    async restart() {
      end();
      agent = born();
    },
    end,
  };
}
