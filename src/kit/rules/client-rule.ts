import type { RequirementKey, ScenarioId } from '../../ledger/index.js';
import type { ErrorName, Message, Operation } from '../../model/index.js';
import type { Exchange } from '../../wire/index.js';
import type { LawJudgement } from './law.js';

// What checks of clients see, and how they are defined. A client is judged by what it sends to servers of the kit, by
// how it ends, and by the line that it may print.

/** What a client is asked to do; `A2A_CONTEXT` holds it as JSON. Members that an errand does not need are left out. */
export interface Errand {
  readonly do:
    | 'send'
    | 'stream'
    | 'converse'
    | 'get'
    | 'list'
    | 'cancel'
    | 'subscribe'
    | 'notify'
    | 'list-configs'
    | 'extended-card'
    | 'pay';
  /** The message of `send`, `stream`, `notify` and `pay`. */
  readonly text?: string;
  /**
   * The messages of `converse`, one after the other, in one conversation. Of `notify` and `pay`, in place of `text`:
   * each begins a task of its own, for which a webhook is registered, or which is paid.
   */
  readonly texts?: readonly string[];
  /** The task of `get`, `cancel`, `subscribe` and `list-configs`. */
  readonly taskId?: string;
  /** How many messages of the history are asked for. */
  readonly historyLength?: number;
  /** What `list` asks for; every page of it is wanted. */
  readonly filter?: {
    readonly contextId?: string;
    /** As the version spells it. */
    readonly state?: string;
    readonly pageSize?: number;
    readonly updatedAfter?: string;
  };
  /** `list-configs`: the page that is wanted. */
  readonly page?: { readonly size: number; readonly token: string };
  /** Credentials by the name of the scheme in the card; of a basic one: `name:password`. */
  readonly credentials?: Readonly<Record<string, string>>;
  /** Headers that the user wants with every call of the agent, whatever its card says. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Extensions that the user wants, where the client has them. */
  readonly extensions?: readonly string[];
  /** `pay`: a private key without funds, hex, and the most that the user is ready to pay, in atomic units. */
  readonly wallet?: { readonly key: string; readonly most: string; readonly network: string };
  /**
   * Signed requests: `account`, its private `key` as text, and how many `lines` are signed, "3" or "5"; of five lines
   * the account of the agent, `audience`, and the `chainId`.
   */
  readonly account?: Readonly<Record<string, string>>;
  /** Public keys of agents whose cards the user trusts, as JWK. */
  readonly trusted?: readonly unknown[];
}

/** What the client says that it understood: the last line of JSON on its standard output. All members may be missing. */
export interface ClientReport {
  /** The state of the task, in canonical spelling where it is known: "completed". */
  readonly state?: string;
  /** Text of the artifacts and messages that came. */
  readonly text?: string;
  readonly taskId?: string;
  readonly contextId?: string;
  readonly error?: {
    /** The error of A2A that is named, by its name, its number or its reason; undefined: none. */
    readonly name: ErrorName | undefined;
    readonly text: string;
  };
  /** Ids of the listed tasks, or of the listed configurations. */
  readonly ids?: readonly string[];
  /** States of the task one after the other, where the client reports each. */
  readonly states?: readonly string[];
  /** The transaction of the last receipt. */
  readonly transaction?: string;
  /** What the client warns of. */
  readonly warnings?: readonly string[];
}

/** The end of a command, or of a client that was waited for. */
export type ClientEnding =
  | { readonly kind: 'exit'; readonly status: number }
  | { readonly kind: 'signal'; readonly signal: string }
  /** It did not end in time. */
  | { readonly kind: 'hung'; readonly afterMs: number }
  /** The client cannot do the errand, and says so. */
  | { readonly kind: 'unsupported'; readonly why: string }
  /** No command: a client came by itself. */
  | { readonly kind: 'served' };

/** One request of the client. */
export interface ClientCall {
  readonly exchange: Exchange;
  /** The server that got it: the agent, or another origin that the scenario has. */
  readonly at: 'agent' | 'elsewhere';
  /**
   * `old-card`: at the path of 0.2. `call`: at an endpoint, even where its operation cannot be read. `asking`: HEAD, or
   * the OPTIONS by which browsers ask whether they may call (Fetch, CORS preflight); it has no header of the caller's.
   */
  readonly is: 'card' | 'old-card' | 'call' | 'asking' | 'other';
  /** undefined: it is not an operation of the version. */
  readonly operation: Operation | undefined;
  /** As the version spells them; undefined: none came, or they cannot be read. */
  readonly params: unknown;
  /** The message of `send` and `stream`. */
  readonly message: Message | undefined;
  /** The JSON value of the body, in a binding whose bodies are JSON; undefined: none. */
  readonly body: unknown;
  /** The error with which the agent of the kit answered it; left out: with none, or with one that cannot be read. */
  readonly refused?: RefusedCall;
  /** What breaks the schema of the request, one line each; of calls whose operation is known. */
  readonly problems: readonly RequestProblem[];
}

/** An error in answer to a request of the client. */
export interface RefusedCall {
  /** The errors that it may be: several where the binding says no more. */
  readonly names: readonly ErrorName[];
  /** "-32602 params must be an object", for reasons. */
  readonly text: string;
}

export interface RequestProblem {
  /** JSON pointer into the params or, for JSON-RPC, into the request. */
  readonly path: string;
  readonly message: string;
  /** The key of the row that the place in the schema has. */
  readonly rule: string;
}

/** One call of the client's webhook by the kit. */
export interface Delivery {
  /** What it was: `right`, `wrong-token`, `no-token`, `foreign-task`, `again`, `late`. */
  readonly name: string;
  /** Status of the answer; undefined: none came. */
  readonly status: number | undefined;
  readonly exchange: Exchange;
}

/** What a client understands if it reads all that the scenario sends. */
export interface Expected {
  readonly state?: string;
  readonly text?: string;
  readonly error?: ErrorName;
  readonly ids?: readonly string[];
}

/** What the kit has not kept of a run, since a client may take only so much memory. */
export interface LeftOut {
  /** "12 requests are not kept: the kit keeps …", for reasons. */
  readonly why: string;
  /** The client was refused, so that what it did from then on says nothing of it. */
  readonly refused: boolean;
}

/** A scenario that was played with the client. */
export interface ClientRun {
  readonly scenario: ScenarioId;
  /** "the lines of the stream end in CRLF" */
  readonly about: string;
  readonly errand: Errand;
  readonly expected: Expected;
  /** The card and the answers are right, so that a client which does not do the errand has failed. */
  readonly isDoable?: boolean;
  /** In order of arrival. */
  readonly calls: readonly ClientCall[];
  readonly deliveries: readonly Delivery[];
  readonly ending: ClientEnding;
  readonly told: ClientReport | undefined;
  /** The end of what the command wrote to its error output, or printed in place of the line. */
  readonly words: string;
  /** Facts that the scenario notes for its checks, by name: the URL of an interface, the id of a task. */
  readonly facts: Readonly<Record<string, string>>;
  /** Left out: all that the client sent is there. */
  readonly leftOut?: LeftOut | undefined;
  /** A process that the client started goes on, and the kit cannot end it. */
  readonly leftRunning?: true | undefined;
  /** Path below which the agent is, without a slash at the end; left out: it is at the root of its origin. */
  readonly base?: string;
  /** A client came by itself: it may play the scenario more than once. */
  readonly isServed?: true;
  /** How often such a client posted what it understood, which ends a play. */
  readonly reports?: number;
  /** What a reader of the report must know of the program besides. */
  readonly note?: string | undefined;
}

/** Judges a run. */
export interface ClientJudge {
  (run: ClientRun): LawJudgement;
  /**
   * What it says of a run of which requests were left out. `failures`: what it finds wrong is shown by the requests that
   * are there. `all`: it looks at no request. Left out: nothing, as it may miss what was left out.
   */
  readonly stands?: 'failures' | 'all';
  /** It compares scenarios: one in which the client gives up shows nothing. */
  readonly compares?: true;
}

/** A check of clients: what is seen in some scenarios decides. */
export interface ClientCheck {
  readonly kind: 'client';
  /** `<suite>/<name>`, never reused. */
  readonly id: string;
  readonly keys: readonly RequirementKey[];
  /** Each must hold; `all`: whatever is played, and one must concern the check. */
  readonly plays: readonly ScenarioId[] | 'all';
  /** Scenarios without the difficulty: the verdict counts only if the same is seen to hold there. */
  readonly controls: readonly ScenarioId[];
  /** Reads after "the client must": "read lines that end in CRLF". */
  readonly about: string;
  readonly judge: ClientJudge;
  /**
   * What it finds fails a run whatever the level of its rows: the client hangs or crashes, does work twice, or gives a
   * credential away.
   */
  readonly atAnyLevel?: true;
  readonly advice: string;
}

type Building = Omit<ClientCheck, 'kind' | 'advice'>;

class Drafted {
  readonly #built: Building;
  constructor(built: Building) {
    this.#built = built;
  }
  /**
   * Scenarios without the difficulty. If the client does not do there what is expected, this check shows nothing of it
   * and is inconclusive.
   */
  but(...controls: readonly ScenarioId[]): Drafted {
    return new Drafted({ ...this.#built, controls });
  }
  /** A failure is one of a MUST, whatever the level of the rows: see `ClientCheck.atAnyLevel`. */
  atAnyLevel(): Drafted {
    return new Drafted({ ...this.#built, atAnyLevel: true });
  }
  /** Ends the check: usual causes of a failure and what to do; shown with it and by `explain`. */
  advice(advice: string): ClientCheck {
    return { kind: 'client', ...this.#built, advice };
  }
}

/** Starts a check of clients. `keys`: the requirement rows that it decides. */
export function clientCheck(
  id: `client-${string}/${string}`,
  ...keys: readonly [RequirementKey, ...RequirementKey[]]
): {
  /** The scenarios in which it is judged, each by itself; none: all that are played. */
  in(...plays: readonly ScenarioId[]): {
    /** `about` reads after "the client must". */
    expects(about: string, judge: ClientCheck['judge']): Drafted;
  };
} {
  return {
    in: (...plays) => ({
      expects: (about, judge) =>
        new Drafted({
          id,
          keys,
          plays: plays.length === 0 ? 'all' : plays,
          controls: [],
          about,
          judge,
        }),
    }),
  };
}
