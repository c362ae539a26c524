import type { KeptFor } from '../dialect/index.js';
import type { Errand, Expected } from '../kit/index.js';
import type { ScenarioId } from '../ledger/index.js';
import type { Patch } from '../reference/index.js';
import type { Carrier, Clock } from '../wire/index.js';

/** The servers of a scenario, as base URLs without a slash at the end. */
export interface Places {
  readonly agent: string;
  /** Another origin: another port of this machine. */
  readonly elsewhere: string;
  /** Where other interfaces of the agent are: below the same origin, but elsewhere where a binding has a port of its own. */
  readonly aside: string;
  /** Nothing listens there. */
  readonly dead: string;
}

/** What a scenario may use when it is set up. */
export interface Stage {
  readonly places: Places;
  readonly clock: Clock;
  /** Another word in each run: a client that prints it has read it. */
  readonly word: string;
  /** A private key without funds, made for this run: 64 hex digits. */
  readonly key: string;
  /** Where requests are signed: who the client is, for every errand. */
  readonly account: Errand['account'];
  /** Calls webhooks of the client. */
  readonly outbound: Carrier;
  /** Keeps a fact for the checks, under `ClientRun.facts`. */
  note(name: string, value: string): void;
  /**
   * Calls a webhook of the client, and keeps what it answers under `ClientRun.deliveries`. Resolves when it has
   * answered, or after 5 s.
   */
  deliver(name: string, request: Parameters<Carrier>[0]): Promise<void>;
}

/** One situation for a client: an errand, and an agent that makes it difficult. The agent is the reference agent. */
export interface Scenario extends KeptFor {
  readonly id: ScenarioId;
  /** Reads after "in which": "the lines of the stream end in CRLF". */
  readonly about: string;
  readonly errand: Errand | ((stage: Stage) => Errand);
  /** What a client understands that reads everything. Left out: nothing in particular. */
  readonly expected?: Expected | ((stage: Stage) => Expected);
  /** Departures of the agent. */
  readonly patch?: (stage: Stage) => Patch;
  /** Departures of a second agent, at another origin. Left out: one that is like the plain reference agent. */
  readonly elsewhere?: (stage: Stage) => Patch;
  /** The two agents hold the same tasks. */
  readonly isOneAgent?: true;
  /** A client may report an error here, though the task is completed in the end. */
  readonly mayFail?: true;
  /** The client has so long, ms. Default: `usualLimitMs`. */
  readonly limitMs?: number;
}

/** How long a client may take for a scenario, ms, unless the scenario says otherwise. */
export const usualLimitMs = 15_000;

/** Named for its difficulty. scripts/generate.js reads the ids from these calls. */
export const scenario = (id: ScenarioId, definition: Omit<Scenario, 'id'>): Scenario => ({ id, ...definition });

export const expectedOf = ({ expected = {} }: Scenario, stage: Stage): Expected =>
  typeof expected === 'function' ? expected(stage) : expected;

/** Whether a client that reports an error has failed: card and answers are right, and the errand can be done. */
export const isDoable = ({ mayFail }: Scenario, { state, ids }: Expected): boolean =>
  mayFail !== true && (state === 'completed' || ids !== undefined);

export function errandOf({ errand }: Scenario, stage: Stage): Errand {
  const own = typeof errand === 'function' ? errand(stage) : errand;
  return stage.account === undefined ? own : { ...own, account: stage.account };
}
