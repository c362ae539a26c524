import {
  type Clock,
  type Exchange,
  mediaType,
  type Sending,
  sleep,
  type Wire,
  type WireRequest,
} from '../wire/index.js';

/** The agent went away: its connections were refused or lost, or it answered nothing any more. */
export interface Death {
  /** What was under way when it was noticed, or what was answered last before. One alone did it. */
  readonly suspects: readonly Exchange[];
  /** Ids of what was not answered because of it, from the first. */
  readonly lost: ReadonlySet<string>;
  /** It answers again: whoever watches over it brought it back. */
  readonly isBack: boolean;
  /** Connections were lost, so that it is no agent that only takes its time. */
  readonly isSure: boolean;
}

/** A wire that notices when there is no point in going on. */
export interface GuardedWire extends Wire {
  /** A request was not sent because the budget was spent. */
  spent(): boolean;
  /** Why nothing is sent any more: the agent is gone, and since when; undefined while it answers. */
  gone(): string | undefined;
  /** Each time that the agent went away. */
  deaths(): readonly Death[];
  /** The wire itself, for those who know that the agent is away. */
  readonly plain: Wire;
  /** Waits until the agent answers the canary in time; where it never does, it is gone. One asks for all. */
  calm(): Promise<void>;
  /** What is lost during this work is no sign of anything: the kit has the agent restarted. */
  whileAway<T>(work: () => Promise<T>): Promise<T>;
  /** From now on lost connections, and several silent exchanges in a row, are looked into. */
  watch(watching: Watching): void;
}

export interface Watching {
  /** One harmless request; its answer decides whether the agent still lives. */
  readonly canary: (wire: Wire) => Promise<Exchange>;
  readonly clock: Clock;
  /** Told when it answers again: what it knew may be lost. */
  readonly onReturn?: () => void;
}

/** Silent exchanges in a row after which the canary is asked: enough that one slow check is no alarm. */
const silentInRow = 12;
/** After such a row it is asked that often, where it only takes its time. */
const canariesInRow = 2;
/** Of several checks at once what was given up may still stand in line at the agent, before the canary. */
const canariesForCalm = 6;
/**
 * Whoever watches over an agent may bring it back: pauses before it is asked again, ms. The first is short: an agent that
 * drops a connection now and then is there at once, and must not cost a long pause each time.
 */
const returnPausesMs = [25, 975, 2000] as const;
/** An agent that dies of everything is not asked for ever: each time all has to be found anew. */
const mostDeaths = 5;

/** A stream that has said something is an answer, though it may not end in time. */
const isSilent = ({ failure, response }: Exchange): boolean =>
  failure !== undefined &&
  failure.kind !== 'budget' &&
  failure.kind !== 'aborted' &&
  failure.kind !== 'too-large' &&
  (response === undefined ||
    mediaType(response.headers) !== 'text/event-stream' ||
    !Buffer.from(response.body.buffer, response.body.byteOffset, response.body.length).includes('data:'));

/** There was nobody, or no longer. */
export const isLost = ({ failure }: Pick<Exchange, 'failure'>): boolean =>
  failure?.kind === 'refused' || failure?.kind === 'reset';

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

/** Not the answer, which may be long. */
const sentOf = ({ response: _, ...sent }: Exchange): Exchange => sent;

interface Dying {
  suspects: Exchange[];
  readonly lost: Set<string>;
  /** All that was under way then. */
  readonly group: ReadonlySet<object>;
  isBack: boolean;
  readonly isSure: boolean;
}

/**
 * One request can kill an agent; all later checks would then wait for their timeouts and blame the wrong thing. After a
 * lost connection, or a row of silent exchanges, a harmless request is sent, and nothing else meanwhile. Where it is not
 * answered either, whoever watches over the agent may bring it back; where nobody does, nothing more is sent.
 */
export function guard(wire: Wire): GuardedWire {
  let spent = false;
  let gone: string | undefined;
  let silent: Exchange[] = [];
  let watching: Watching | undefined;
  let asking: Promise<void> | undefined;
  /** Under way, in the order of sending. */
  const underWay = new Set<object>();
  let answered: Exchange | undefined;
  /** The kit itself has the agent restarted. */
  let isAway = false;
  const deaths: Dying[] = [];
  const deathOf = (token: object): Dying | undefined => deaths.find(({ group }) => group.has(token));

  const ask = async (): Promise<Exchange | undefined> => watching?.canary(wire);

  function giveUp({ id, purpose, failure }: Exchange): void {
    gone = `the agent no longer answers, since ${id} (${purpose}: ${failure?.kind})`;
  }

  async function askSilent(most: number): Promise<void> {
    const row = silent;
    let answer = await ask();
    // A stream that says something and does not end stands in no line: to ask again would only cost the time again.
    const isWaiting = () => answer?.failure?.kind === 'timeout' && isSilent(answer);
    for (let asked = 1; asked < most && isWaiting(); asked++) answer = await ask();
    silent = [];
    if (answer === undefined || !isSilent(answer) || (isLost(answer) && (await comesBack()))) return;
    const [first = answer] = row;
    giveUp(first);
    const lost = new Set(row.map(({ id }) => id));
    deaths.push({ suspects: [sentOf(first)], lost, group: new Set(), isBack: false, isSure: false });
  }

  /** Asks until somebody answers, for as long as whoever watches over the agent may take to bring it back. */
  async function comesBack(): Promise<boolean> {
    if (watching === undefined || deaths.length >= mostDeaths) return false;
    for (const pause of returnPausesMs) {
      await sleep(watching.clock, pause);
      const answer = await ask();
      if (answer === undefined || !isSilent(answer)) return true;
    }
    return false;
  }

  async function askLost(first: Exchange, group: ReadonlySet<object>): Promise<void> {
    const answer = await ask();
    if (answer === undefined || !isSilent(answer)) return;
    // What was never taken did not do it: that was what was answered last, unless something was lost half-way.
    const suspects = first.failure?.kind === 'refused' && answered !== undefined ? [answered] : [sentOf(first)];
    const death: Dying = { suspects, lost: new Set([first.id]), group, isBack: false, isSure: true };
    deaths.push(death);
    death.isBack = await comesBack();
    silent = [];
    if (death.isBack) watching?.onReturn?.();
    else giveUp(first);
  }

  /** One asks for all. */
  function decide(inquiry: () => Promise<void>): Promise<void> {
    asking ??= inquiry().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  /** Of several that were under way each may have done it. */
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
      if (isLost(exchange)) await decide(() => askLost(exchange, group));
      else if (silent.length >= silentInRow) await decide(() => askSilent(canariesInRow));
    }
    const death = deathOf(token);
    if (death !== undefined) noteLost(death, exchange);
  }

  async function note(sent: Promise<Exchange>, token: object): Promise<Exchange> {
    const exchange = await sent;
    const group = new Set(underWay);
    underWay.delete(token);
    spent ||= exchange.failure?.kind === 'budget';
    if (isSilent(exchange)) silent.push(exchange);
    else if (exchange.failure === undefined) {
      silent = [];
      answered = sentOf(exchange);
    }
    if (isSilent(exchange) || isLost(exchange)) await lookInto(exchange, token, group);
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
    gone: () => gone,
    deaths: () => deaths,
    calm: () => decide(() => askSilent(canariesForCalm)),
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
    },
  };
}
