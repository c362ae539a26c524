import { type Client, createClient } from '../client/index.js';
import type { Dialect } from '../dialect/index.js';
import { type Behaviours, type Inspector, neutralPrompt, type Scene, type Source, type Target } from '../kit/index.js';
import type { Clock, Exchange, Header, Wire } from '../wire/index.js';

export interface SessionOptions {
  readonly wire: Wire;
  readonly clock: Clock;
  readonly dialect: Dialect;
  readonly target: Target;
  readonly inspector: Inspector;
  readonly credentials: readonly Header[];
  readonly behaviours: Behaviours;
  readonly readOnly: boolean;
  readonly taskBudget?: number;
  /** How long to wait for a task to settle, ms. */
  readonly patienceMs: number;
  /** How long to wait under the agent's rate limit, ms. */
  readonly limitPatienceMs: number;
  readonly onWait?: (ms: number) => void;
  readonly signal?: AbortSignal;
  readonly uuid: () => string;
}

interface Found {
  readonly value: Promise<unknown>;
  readonly exchanges: Exchange[];
}

/** What all checks of a run share: the client, and what sources have found. */
export interface Session {
  readonly client: Client;
  /** A scene for one check; `seen` collects the exchanges that the check caused or relied on. */
  scene(purpose: string, seen: (exchange: Exchange) => void): Scene;
}

export function createSession(options: SessionOptions): Session {
  const { target, clock, inspector, behaviours, uuid, patienceMs } = options;
  const client = createClient({ ...options, endpoint: target.endpoint });
  const found = new Map<Source<unknown>, Found>();

  function scene(purpose: string, seen: (exchange: Exchange) => void): Scene {
    const self: Scene = {
      client: client.for(purpose, seen),
      target,
      card: target.card,
      clock,
      behaviours,
      inspector,
      patienceMs,
      uuid,
      say: (text = neutralPrompt) => ({ messageId: uuid(), role: 'user', parts: [{ kind: 'text', text }] }),
      async use<T>(source: Source<T>): Promise<T> {
        if (!source.shared) return source.find(self);
        let known = found.get(source);
        if (known === undefined) {
          const exchanges: Exchange[] = [];
          const own = scene(`source: ${source.about}`, (exchange) => exchanges.push(exchange));
          known = { value: source.find(own), exchanges };
          // A rejection is awaited by whoever uses the source; nobody may leave it unhandled.
          known.value.catch(() => undefined);
          found.set(source, known);
        }
        try {
          return (await known.value) as T;
        } finally {
          for (const exchange of known.exchanges) seen(exchange);
        }
      },
    };
    return self;
  }
  return { client, scene };
}
