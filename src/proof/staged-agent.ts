import { signingFor, surroundings, tillFor } from '../../packs/index.js';
import type { Dialect } from '../dialect/index.js';
import { type Agent, createAgent, kitWebhooks, memoryArchive, type Patch, type Variant } from '../reference/index.js';
import type { CallSigning, Charging, RunOptions } from '../run/index.js';
import { type Carrier, type Clock, memoryWebhooks, virtualClock } from '../wire/index.js';

// The reference agent in memory and virtual time, with the services that it calls and the options of the kit for it.

export const baseUrl = 'http://agent.test';
/** The address where the kit listens on a user's machine, so that agents treat it as they would there. */
export const webhooksUrl = 'http://127.0.0.1:48080';

/** The credentials and options that the kit gets for an agent that knows its callers. */
export type Callers = Partial<Pick<Variant, 'headers' | 'query' | 'secondHeaders' | 'secondQuery'>> & {
  readonly signing?: CallSigning;
  readonly charging?: Charging;
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
    ...(callers.charging === undefined ? {} : { charging: callers.charging }),
    webhooks: webhooks.open,
    ...(restart === undefined ? {} : { restart }),
  }) satisfies Partial<RunOptions>;

/** The properties of an agent that decide which services and options it needs. */
interface Asked {
  readonly dialect: Dialect;
  /** The agents charge. */
  readonly charges?: boolean;
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

/** For agents that charge: what they settle through, separate for each, and how the kit pays. */
async function charging(charges: boolean, dialect: Dialect, clock: Clock, variant: Variant | undefined) {
  if (!charges) return { patches: [], callers: {} };
  const till = await tillFor(dialect, clock);
  return { patches: [till.patch], callers: { charging: till.proving(variant) } };
}

/** The same options of the kit for an impostor, and what makes it: it asks neither about callers nor about payments. */
export async function stageImpostor({ dialect, charges = false }: Asked, clock: Clock) {
  const { impostor, callers } = await signing(dialect, clock, undefined);
  return {
    context: { dialect, clock, baseUrl, ...impostor },
    callers: { ...callers, ...(await charging(charges, dialect, clock, undefined)).callers } satisfies Callers,
  };
}

export async function stageAgent(
  { dialect, charges = false, base = [] }: Asked & { readonly base?: readonly Patch[] },
  patches: readonly Patch[],
  variant: Variant | undefined,
): Promise<StagedAgent> {
  const clock = virtualClock();
  const webhooks = memoryWebhooks(webhooksUrl);
  const archive = memoryArchive();
  const signed = await signing(dialect, clock, variant);
  const paid = await charging(charges, dialect, clock, variant);
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
