import { framesIn, isWhole } from '../../binding/index.js';
import { asksForStream } from '../../client/index.js';
import {
  afterDrop,
  type Clock,
  type Exchange,
  isUnsent,
  mediaType,
  type Sending,
  sleep,
  type Wire,
  type WireRequest,
} from '../../wire/index.js';

/** The agent went away: its connections were refused or lost, or it stopped answering. */
export interface Death {
  /** The exchanges under way when it was noticed, or the last one answered before. A single one is the cause. */
  readonly suspects: readonly Exchange[];
  /** Ids of the exchanges that got no answer because of it, from the first. */
  readonly lost: ReadonlySet<string>;
  /** The agent answers again: its supervisor restarted it. */
  readonly isBack: boolean;
  /** Connections were lost, so the agent is not merely slow. */
  readonly isSure: boolean;
  /** It answers, but each request with this error of a server. */
  readonly status?: number;
}

/** A wire that notices when the agent is gone or the budget is spent. */
export interface GuardedWire extends Wire {
  /** A request was not sent because the budget was spent. */
  spent(): boolean;
  /** Why nothing is sent any more: the agent is gone, and since when; undefined while it answers. */
  lostReason(): string | undefined;
  /** Each time that the agent went away. */
  deaths(): readonly Death[];
  /** The unguarded wire, for callers who know that the agent is away. */
  readonly plain: Wire;
  /** Waits until the agent answers the canary in time; an agent that never does is gone. Callers share one inquiry. */
  waitUntilResponsive(): Promise<void>;
  /** Ignores connections that are lost during this work: the kit is having the agent restarted. */
  whileAway<T>(work: () => Promise<T>): Promise<T>;
  /** From now on, lost connections and rows of silent exchanges are investigated. */
  watch(watching: Watching): void;
}

export interface Watching {
  /** One harmless request; its answer decides whether the agent still lives. */
  readonly canary: (wire: Wire) => Promise<Exchange>;
  readonly clock: Clock;
  /** Whether the agent has answered such a request before, with no error of a server. Default: it has not. */
  readonly hasAnswered?: () => boolean;
  /** Called when the agent answers again: it may have lost its tasks. */
  readonly onReturn?: () => void;
}

/** Silent exchanges in a row before a canary is sent: enough that one slow check raises no alarm. */
const silentInRow = 12;
/** The same error of a server, in a row, before a canary is sent: a suite may well have some requests that break it. */
const brokenInRow = 12;
/** Most canaries after such a row, if they time out. */
const canariesInRow = 2;
/** Most canaries in `calm`: requests that the kit gave up may be queued at the agent before the canary. */
const canariesForCalm = 6;
/**
 * A supervisor may restart the agent: pauses before it is asked again, ms. The first is short: an agent that drops a
 * connection now and then answers at once, and a long pause each time would cost too much.
 */
const returnPausesMs = [25, 975, 2000] as const;
/** Deaths after which the kit gives up: after each one, all sources have to be found again. */
const mostDeaths = 5;

/** Whether the agent has sent an event, where an answer may have several. */
function hasEvent({ headers, body }: NonNullable<Exchange['response']>, request: WireRequest): boolean {
  const type = mediaType(headers);
  if (type?.startsWith('application/grpc') === true) {
    const [first] = asksForStream(request) ? framesIn(body).frames : [];
    return first !== undefined && isWhole(first);
  }
  return type === 'text/event-stream' && Buffer.from(body.buffer, body.byteOffset, body.length).includes('data:');
}

/** Whether no answer came. A stream with an event is an answer, even if it does not end in time. */
const isSilent = ({ failure, request, response }: Exchange): boolean =>
  failure !== undefined &&
  !isUnsent(failure) &&
  failure.kind !== 'too-large' &&
  (response === undefined || !hasEvent(response, request));

/** The connection was refused or reset. */
export const isLost = ({ failure }: Pick<Exchange, 'failure'>): boolean =>
  failure?.kind === 'refused' || failure?.kind === 'reset';

/** The server ended the connection since the kit dropped another call on it. */
export const isOfDrop = ({ failure }: Pick<Exchange, 'failure'>): boolean =>
  failure?.detail.endsWith(afterDrop) === true;

/** The error of a server that an answer is; 503 is one of an agent that has too much to do. */
function errorIn({ failure, response }: Exchange): string | undefined {
  if (failure !== undefined || response === undefined || response.status < 500 || response.status === 503) return;
  return `${response.status} ${Buffer.from(response.body).toString('latin1')}`;
}

const unsent = (request: WireRequest, sending: Sending, detail: string): Exchange => ({
  id: 'unsent',
  purpose: sending.purpose,
  request,
  failure: { kind: 'aborted', detail },
  startedAt: 0,
  durationMs: 0,
  ...(sending.call === undefined ? {} : { call: sending.call }),
});
async function* nothing(): AsyncGenerator<never> {}

/** Leaves out the answer, which may be long. */
const sentOf = ({ response: _, ...sent }: Exchange): Exchange => sent;

/** A death that is looked into. */
interface Dying {
  suspects: Exchange[];
  readonly lost: Set<string>;
  /** All requests that were under way then. */
  readonly group: ReadonlySet<object>;
  isBack: boolean;
  readonly isSure: boolean;
  readonly status?: number;
}

/** What the wires of one agent share: a request over one interface may end what is under way over the others. */
export interface Crew {
  /** Requests under way, in the order of sending. */
  readonly underWay: Set<object>;
  readonly deaths: Dying[];
  /** The last exchange that was answered. */
  answered: Exchange | undefined;
  /** Called when the agent answers again. */
  readonly returns: (() => void)[];
}

export const createCrew = (): Crew => ({
  underWay: new Set(),
  deaths: [],
  answered: undefined,
  returns: [],
});

/**
 * One request can kill an agent; all later checks would then time out, and blame the wrong request. After a lost
 * connection, or a row of silent exchanges, a canary is sent, and nothing else meanwhile. If it is not answered either,
 * a supervisor gets some time to restart the agent; after that, nothing more is sent.
 */
export function guard(wire: Wire, crew: Crew = createCrew()): GuardedWire {
  const { underWay, deaths } = crew;
  let spent = false;
  let gone: string | undefined;
  let silent: Exchange[] = [];
  /** The last answers, as long as each is the same error of a server. */
  let broken: Exchange[] = [];
  let watching: Watching | undefined;
  let asking: Promise<void> | undefined;
  /** The ids of its exchanges. */
  const own = new Set<string>();
  /** The death of an agent that has error pages only. */
  let pages: Dying | undefined;
  /** The kit itself is having the agent restarted. */
  let isAway = false;
  const deathOf = (token: object): Dying | undefined => deaths.find(({ group }) => group.has(token));

  const ask = async (): Promise<Exchange | undefined> => watching?.canary(wire);

  function giveUp({ id, purpose, failure, response }: Exchange): void {
    gone =
      failure === undefined
        ? `the agent answers each request with HTTP ${response?.status}, since ${id} (${purpose})`
        : `the agent no longer answers, since ${id} (${purpose}: ${failure.kind})`;
  }

  /** What ran behind the server may have ended: a request that was answered before is sent too, as often as it may take. */
  async function askBroken(): Promise<void> {
    const row = broken;
    broken = [];
    const [first] = row;
    const error = first && errorIn(first);
    if (watching?.hasAnswered?.() !== true || first === undefined) return;
    for (const pause of [0, ...returnPausesMs]) {
      await sleep(watching.clock, pause);
      const answer = await ask();
      if (answer === undefined || errorIn(answer) !== error) return;
    }
    giveUp(first);
    const lost = new Set([...row, ...broken].map(({ id }) => id));
    const status = first.response?.status ?? 500;
    pages = { suspects: [sentOf(first)], lost, group: new Set(), isBack: false, isSure: false, status };
    deaths.push(pages);
  }

  async function askSilent(most: number): Promise<void> {
    const row = silent;
    let answer = await ask();
    // A canary stream with events that does not end is not queued: a second canary would only cost time.
    const isWaiting = () => answer?.failure?.kind === 'timeout' && isSilent(answer);
    for (let asked = 1; asked < most && isWaiting(); asked++) answer = await ask();
    silent = [];
    if (answer === undefined || !isSilent(answer) || (isLost(answer) && (await comesBack()))) return;
    const [first = answer] = row;
    giveUp(first);
    const lost = new Set(row.map(({ id }) => id));
    deaths.push({ suspects: [sentOf(first)], lost, group: new Set(), isBack: false, isSure: false });
  }

  /** Sends canaries until one is answered, for as long as a supervisor may take to restart the agent. */
  async function comesBack(): Promise<boolean> {
    if (watching === undefined || deaths.length >= mostDeaths) return false;
    for (const pause of returnPausesMs) {
      await sleep(watching.clock, pause);
      const answer = await ask();
      if (answer === undefined || !isSilent(answer)) return true;
    }
    return false;
  }

  async function askLost(first: Exchange, token: object, group: ReadonlySet<object>): Promise<void> {
    const answer = await ask();
    if (answer === undefined || !isSilent(answer) || deathOf(token) !== undefined) return;
    // A request whose connection was refused is not the cause. The last answered one is, unless another request was
    // reset.
    const { answered } = crew;
    const suspects = first.failure?.kind === 'refused' && answered !== undefined ? [answered] : [sentOf(first)];
    const death: Dying = { suspects, lost: new Set([first.id]), group, isBack: false, isSure: true };
    deaths.push(death);
    death.isBack = await comesBack();
    silent = [];
    if (death.isBack) for (const onReturn of crew.returns) onReturn();
    else giveUp(first);
  }

  /** Runs one inquiry at a time; callers share it. */
  function decide(inquiry: () => Promise<void>): Promise<void> {
    asking ??= inquiry().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  /** Each of several requests under way may be the cause. */
  function noteLost(death: Dying, exchange: Exchange): void {
    if (!death.lost.has(exchange.id) && exchange.failure?.kind === 'reset') {
      const taken = death.suspects.filter(({ failure }) => failure?.kind === 'reset');
      death.suspects = [...taken, sentOf(exchange)];
    }
    death.lost.add(exchange.id);
  }

  async function lookInto(exchange: Exchange, token: object, group: ReadonlySet<object>): Promise<void> {
    if (watching === undefined || isAway) return;
    if (deathOf(token) === undefined) {
      // An agent that is gone shows it by the next request.
      if (isLost(exchange) && !isOfDrop(exchange)) await decide(() => askLost(exchange, token, group));
      else if (silent.length >= silentInRow) await decide(() => askSilent(canariesInRow));
      else if (broken.length >= brokenInRow) await decide(askBroken);
    }
    const death = deathOf(token);
    if (death !== undefined) noteLost(death, exchange);
  }

  async function note(sent: Promise<Exchange>, token: object): Promise<Exchange> {
    const exchange = await sent;
    own.add(exchange.id);
    const group = new Set(underWay);
    underWay.delete(token);
    spent ||= exchange.failure?.kind === 'budget';
    if (isSilent(exchange)) silent.push(exchange);
    else if (exchange.failure === undefined) {
      silent = [];
      crew.answered = sentOf(exchange);
    }
    const error = errorIn(exchange);
    // It was under way when the agent was given up.
    if (gone !== undefined && pages !== undefined && pages.status === exchange.response?.status)
      pages.lost.add(exchange.id);
    const [before] = broken;
    if (error === undefined) broken = [];
    else broken = before === undefined || errorIn(before) === error ? [...broken, exchange] : [exchange];
    if (isSilent(exchange) || isLost(exchange) || broken.length >= brokenInRow) await lookInto(exchange, token, group);
    return exchange;
  }

  function exchange(request: WireRequest, sending: Sending): Promise<Exchange> {
    if (gone !== undefined) return Promise.resolve(unsent(request, sending, gone));
    const token = {};
    underWay.add(token);
    return note(wire.exchange(request, sending), token);
  }

  return {
    async open(request, sending) {
      await asking;
      if (gone !== undefined) {
        const ended = Promise.resolve(unsent(request, sending, gone));
        return { head: undefined, chunks: nothing(), close: () => undefined, ended };
      }
      const token = {};
      underWay.add(token);
      const opened = await wire.open(request, sending);
      const noted = note(opened.ended, token);
      void noted.catch(() => undefined);
      return opened;
    },
    ...(wire.raw === undefined ? {} : { raw: wire.raw }),
    exchange(request: WireRequest, sending: Sending) {
      return asking === undefined ? exchange(request, sending) : asking.then(() => exchange(request, sending));
    },
    plain: wire,
    spent: () => spent,
    lostReason: () => gone,
    deaths: () => deaths.filter(({ lost }) => [...lost].some((id) => own.has(id))),
    waitUntilResponsive: () => decide(() => askSilent(canariesForCalm)),
    async whileAway(work) {
      isAway = true;
      try {
        return await work();
      } finally {
        isAway = false;
      }
    },
    watch(how) {
      watching = how;
      if (how.onReturn !== undefined) crew.returns.push(how.onReturn);
    },
  };
}
