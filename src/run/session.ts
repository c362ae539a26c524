import { type Client, type ClientOptions, createClient, weightOf } from '../client/index.js';
import {
  type Behaviours,
  type Clue,
  type Inspector,
  type Scene,
  type ScenePart,
  type Source,
  type Stuck,
  spoken,
  type Target,
} from '../kit/index.js';
import type { Exchange, Notification, Receiver } from '../wire/index.js';
import type { SceneAddition } from './extensions/signing.js';
import { isHard } from './schedule/congestion.js';

export interface SessionOptions extends Omit<ClientOptions, 'endpoint' | 'requiredExtensions'> {
  readonly target: Target;
  readonly inspector: Inspector;
  readonly peers: Scene['peers'];
  /** What packs add to scenes. */
  readonly additions: readonly SceneAddition[];
  readonly signing: Scene['signing'];
  readonly behaviours: Behaviours;
  readonly webhook: Receiver | undefined;
  readonly webhookOff: string;
  readonly restart: Scene['restart'];
  /** How long to wait for a task to settle, ms. */
  readonly patienceMs: number;
  /** An exchange of the tape. */
  readonly find: (id: string) => Exchange | undefined;
  /** Fresh UUIDs of one purpose. */
  readonly uuidsFor: (purpose: string) => () => string;
  /** Awaits the work of another check without holding a slot. */
  readonly lend: <T>(waiting: Promise<T>) => Promise<T>;
  /** Awaits what only takes time. */
  readonly aside: Scene['aside'];
  /** Runs jobs of one check at the same time. */
  readonly sideBySide: Scene['sideBySide'];
}

/** The search for a prompt that leads somewhere. */
const isSearch = ({ about }: Source<unknown>): boolean => about.startsWith('a way to reach ');

interface Found {
  value: Promise<unknown>;
  settled: boolean;
  /** It was not found. */
  unmet?: true;
  /** One of its requests was not answered in time, or the answer shows overload. */
  late: boolean;
  /** Its exchanges, read from the tape when needed, so that answers of megabytes are not held for a whole run. */
  readonly exchanges: (() => Exchange)[];
  /** Memory of the answers, bytes. */
  bytes: number;
}

/**
 * Most memory for the answers that found values hold, bytes. Above it the oldest value is dropped, and found again when
 * it is asked for: an agent with answers of megabytes costs more requests, not more memory.
 */
const mostFound = 96 * 1024 * 1024;
/** Smaller values are always kept, bytes. */
const largeFound = 384 * 1024;

/** Shared by all checks of a run: the client, and the values that sources have found. */
export interface Session {
  readonly client: Client;
  /** A scene for one check; `seen` collects the exchanges that the check caused or relied on. */
  scene(purpose: string, seen: (exchange: Exchange) => void): Scene;
  /** Tasks that were accepted and did not move, by id, and what was seen of each. */
  readonly stuck: ReadonlyMap<string, Stuck>;
  /** What of the agent kept checks from being judged, by their ids, as they were judged last. */
  readonly clues: ReadonlyMap<string, Clue>;
  note(check: string, clue: Clue | undefined): void;
  /** An exchange of the tape. */
  readonly find: (id: string) => Exchange | undefined;
  /** Sets whether checks may send requests together that they otherwise send in turn. Default: no. */
  sendTogether(may: boolean): void;
  /** Drops the values of sources that relied on late answers; they are found again. */
  forgetLate(): void;
  /** Lets sources that found nothing look again, but for the search of prompts, which costs messages. */
  forgetUnmet(): void;
  /**
   * Ends what the kit has at work, and drops all that was found while tasks waited for workers. Resolves to whether
   * nothing is at work now.
   */
  startAnew(): Promise<boolean>;
  /** Drops the values of all sources, because the agent may have lost its tasks. */
  forgetAll(): void;
}

export function createSession(options: SessionOptions): Session {
  const { target, clock, inspector, behaviours, patienceMs, webhook, webhookOff } = options;
  const client = createClient({
    ...options,
    endpoint: target.endpoint,
    requiredExtensions: requiredOf(target),
  });
  const found = new Map<Source<unknown>, Found>();
  let sendsTogether = false;
  const stuck = new Map<string, Stuck>();
  const clues = new Map<string, Clue>();
  const later = (exchange: Exchange): (() => Exchange) => {
    if (options.find(exchange.id) === undefined) return () => exchange;
    const { response: _, ...rest } = exchange;
    return () => options.find(exchange.id) ?? rest;
  };

  function forget(): void {
    let held = 0;
    for (const item of found.values()) held += item.bytes;
    for (const [source, item] of found) {
      if (held <= mostFound) break;
      if (item.bytes < largeFound) continue;
      found.delete(source);
      held -= item.bytes;
    }
  }

  function scene(purpose: string, seen: (exchange: Exchange) => void): Scene {
    const uuid = options.uuidsFor(purpose);
    const added = new Map<SceneAddition, unknown>();
    const self: Scene = {
      client: client.for(purpose, seen),
      target,
      card: target.card,
      peers: options.peers,
      clock,
      behaviours,
      inspector,
      patienceMs,
      webhook: webhook && watched(webhook, seen),
      webhookOff,
      restart: options.restart,
      part<T>({ pack }: ScenePart<T>) {
        const addition = options.additions.find((item) => item.pack === pack);
        if (addition === undefined) return undefined;
        if (!added.has(addition)) added.set(addition, addition.of(uuid));
        return added.get(addition) as T;
      },
      signing: options.signing,
      takesMany: () => sendsTogether,
      aside: options.aside,
      sideBySide: options.sideBySide,
      stuck: (id, found) => stuck.set(id, found),
      uuid,
      say: (text) => spoken(uuid, text === undefined ? (behaviours.completed ?? {}) : { text }),
      async use<T>(source: Source<T>): Promise<T> {
        if (!source.shared) return source.find(self);
        let known = found.get(source);
        if (known === undefined) {
          const exchanges: Found['exchanges'] = [];
          let bytes = 0;
          const own = scene(`source: ${source.about}`, (exchange) => {
            exchanges.push(later(exchange));
            made.late ||= isHard(exchange);
            bytes += weightOf(exchange);
          });
          const made: Found = { value: Promise.resolve(), exchanges, settled: false, late: false, bytes: 0 };
          made.value = source.find(own);
          const settle = () => {
            made.settled = true;
            made.bytes = bytes;
            forget();
          };
          // Each user of the source awaits its rejection; here it must only not stay unhandled.
          made.value.then(settle, () => {
            made.unmet = true;
            settle();
          });
          found.set(source, made);
          known = made;
          return await share<T>(made, made.value as Promise<T>);
        }
        // Another check is finding it: meanwhile this check gives up its slot.
        const value = known.value as Promise<T>;
        return await share<T>(known, known.settled ? value : options.lend(value));
      },
    };
    async function share<T>(known: Found, value: Promise<T>): Promise<T> {
      try {
        return await value;
      } finally {
        for (const exchange of known.exchanges) seen(exchange());
      }
    }
    return self;
  }
  return {
    client,
    scene,
    stuck,
    clues,
    note(check, clue) {
      if (clue === undefined) clues.delete(check);
      else clues.set(check, clue);
    },
    find: options.find,
    sendTogether(may) {
      sendsTogether = may;
    },
    forgetLate() {
      for (const [source, { late }] of found) if (late) found.delete(source);
    },
    forgetUnmet() {
      for (const [source, { unmet }] of found) if (unmet === true && !isSearch(source)) found.delete(source);
    },
    async startAnew() {
      const isFree = await client.endWork('all');
      found.clear();
      stuck.clear();
      return isFree;
    },
    forgetAll: () => found.clear(),
  };
}

/** Adds the webhook calls that a check looks at to its exchanges. */
function watched(webhook: Receiver, seen: (exchange: Exchange) => void): Receiver {
  const show = (call: Notification): Notification => {
    seen(call.exchange);
    return call;
  };
  return {
    ...webhook,
    async next(path, timeoutMs) {
      const call = await webhook.next(path, timeoutMs);
      return call && show(call);
    },
    received: (path) => (path === undefined ? webhook.received() : webhook.received(path).map(show)),
  };
}

const requiredOf = ({ card }: Target): readonly string[] =>
  card.capabilities.extensions.flatMap(({ uri, required }) => (required ? [uri] : []));
