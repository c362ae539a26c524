import type { Dialect } from '../dialect/index.js';
import { TckError } from '../model/index.js';
import type { Carrier, Clock } from '../wire/index.js';
import { callers } from './callers.js';
import { card } from './card.js';
import { carry } from './carrier.js';
import { grpcPort } from './grpc.js';
import { http } from './http.js';
import { httpJsonPort } from './http-json.js';
import { createPush } from './push.js';
import { rpc } from './rpc.js';
import { type AgentPart, assemble, type Patch, type Seams, type World } from './seams.js';
import type { AgentTraits } from './spelling.js';
import { spellingOf } from './spellings.js';
import { type Archive, createStore, type StoreLimits } from './store.js';
import { createStreams } from './streams.js';
import { testWebhookHosts, type WebhookHosts } from './webhooks.js';
import { work } from './work.js';

export interface AgentOptions {
  readonly dialect: Dialect;
  readonly clock: Clock;
  /** Where the agent is reached, with or without a slash at the end: `http://127.0.0.1:8080/agents/a`. */
  readonly baseUrl: string;
  /** Later ones wrap earlier ones. */
  readonly patches?: readonly Patch[];
  /** Ids of tasks, contexts, messages and artifacts come from it. Default 1. */
  readonly seed?: number;
  /** The way to webhooks. Left out: no notification is sent. It must not follow redirects. */
  readonly outbound?: Carrier;
  /**
   * Private hosts that are allowed for webhooks, or a function that decides about all hosts. Default: the loopback
   * names on which a kit listens. Names are judged by their text; `outbound` must care for what they resolve to.
   */
  readonly webhookHosts?: WebhookHosts;
  /** Where tasks are stored beyond the life of the agent. Left out: nowhere. */
  readonly archive?: Archive;
  /** How many tasks are kept. Left out: all. */
  readonly most?: StoreLimits;
  /** Departures from what is usual in the dialect: a queue, a listing, how long tasks are kept … */
  readonly spelling?: Partial<AgentTraits>;
  /** What the pack of the profile makes of the agent. */
  readonly part?: AgentPart;
}

/** A defect that every request meets must not fill the memory. */
const mostCrashes = 100;

export interface Agent {
  readonly handle: Carrier;
  readonly world: World;
  readonly seams: Seams;
  /**
   * The first errors thrown inside that are not refusals: defects of the agent itself or of a patch. Answered as
   * -32603.
   */
  readonly crashes: readonly unknown[];
  /** Ends work, streams and notifications that still go on, so that nothing keeps the process alive. */
  stop(): void;
}

/**
 * The reference agent: strict and deterministic. It can do all that its dialect names, and does what its card declares;
 * the card of the plain agent declares neither streaming nor push notifications nor credentials.
 */
export function createAgent(options: AgentOptions): Agent {
  const { dialect, clock, baseUrl, patches = [], seed = 1, outbound, webhookHosts = testWebhookHosts } = options;
  const { archive, most } = options;
  const part = options.part?.();
  if (dialect.signed !== undefined && part === undefined)
    throw new TckError('internal', `an agent of ${dialect.id} needs the part of its pack`);
  const spelling: AgentTraits = { ...spellingOf(dialect), ...part?.spelling, ...options.spelling };
  const store = createStore({
    now: () => clock.now(),
    keepMs: spelling.keepMs,
    ...(archive === undefined ? {} : { archive }),
    ...(most === undefined ? {} : { most }),
  });
  const world: World = {
    dialect,
    spelling,
    clock,
    store,
    baseUrl: baseUrl.replace(/\/$/, ''),
    outbound,
  };
  const crashes: unknown[] = [];
  const crashed = (cause: unknown): void => {
    if (crashes.length < mostCrashes) crashes.push(cause);
  };
  const stops: (() => void)[] = [];
  let resume = (): void => {};
  const seams = assemble(
    (whole) => {
      const streams = createStreams(world, whole, crashed);
      const push = createPush(world, whole, webhookHosts);
      const doing = work(world, whole, { streams, push, seed, crashed });
      stops.push(doing.stop, streams.stop, push.stop);
      resume = doing.resume;
      return {
        ...http(world, whole),
        ...httpJsonPort(world, whole),
        ...grpcPort(world, whole),
        ...callers(world, whole),
        parts: {},
        ...card(world, whole),
        ...rpc(world, whole, streams, crashed),
        ...streams.seams,
        ...push.seams,
        ...doing.seams,
      };
    },
    world,
    [...(part === undefined ? [] : [part.patch]), ...patches],
  );
  resume();
  const handle = carry(async (request) => {
    try {
      return await seams.serve(request);
    } catch (cause) {
      crashed(cause);
      return { status: 500, headers: [['content-type', 'text/plain']], body: 'Internal server error\n' };
    }
  });
  const stop = (): void => {
    for (const stop of stops) stop();
  };
  return { handle, world, seams, crashes, stop };
}
