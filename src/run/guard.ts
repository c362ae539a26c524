import { type Exchange, mediaType, type Sending, type Wire, type WireRequest } from '../wire/index.js';

/** A wire that notices when there is no point in going on. */
export interface GuardedWire extends Wire {
  /** A request was not sent because the budget was spent. */
  spent(): boolean;
  /** Why nothing is sent any more: the agent is gone, and since when; undefined while it answers. */
  gone(): string | undefined;
  /** The wire itself, for those who know that the agent is away. */
  readonly plain: Wire;
  /** Waits until the agent answers the canary in time; where it never does, it is gone. One asks for all. */
  calm(): Promise<void>;
  /** From now on, after several silent exchanges in a row, this decides whether the agent still lives. */
  watch(canary: (wire: Wire) => Promise<Exchange>): void;
}

/** Silent exchanges in a row after which the canary is asked: enough that one slow check is no alarm. */
const silentInRow = 12;
/** After such a row it is asked that often, where it only takes its time. */
const canariesInRow = 2;
/** Of several checks at once what was given up may still stand in line at the agent, before the canary. */
const canariesForCalm = 6;

/** A stream that has said something is an answer, though it may not end in time. */
const isSilent = ({ failure, response }: Exchange): boolean =>
  failure !== undefined &&
  failure.kind !== 'budget' &&
  failure.kind !== 'aborted' &&
  failure.kind !== 'too-large' &&
  (response === undefined ||
    mediaType(response.headers) !== 'text/event-stream' ||
    !Buffer.from(response.body.buffer, response.body.byteOffset, response.body.length).includes('data:'));

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

/**
 * One request can kill an agent; all later checks would then wait for their timeouts and blame the wrong thing. After
 * a row of silent exchanges a harmless request is sent, and nothing else meanwhile; when it stays without answer too,
 * nothing more is sent.
 */
export function guard(wire: Wire): GuardedWire {
  let spent = false;
  let gone: string | undefined;
  let silent: Exchange[] = [];
  let canary: ((wire: Wire) => Promise<Exchange>) | undefined;
  let asking: Promise<void> | undefined;

  async function ask(most: number): Promise<void> {
    const first = silent[0];
    let answer = await canary?.(wire);
    for (let asked = 1; asked < most && answer?.failure?.kind === 'timeout'; asked++) answer = await canary?.(wire);
    if (answer !== undefined && isSilent(answer)) {
      const { id, purpose, failure } = first ?? answer;
      gone = `the agent no longer answers, since ${id} (${purpose}: ${failure?.kind})`;
    }
    silent = [];
  }
  function decide(most: number): Promise<void> {
    asking ??= ask(most).finally(() => {
      asking = undefined;
    });
    return asking;
  }

  async function note(sent: Promise<Exchange>): Promise<Exchange> {
    const exchange = await sent;
    spent ||= exchange.failure?.kind === 'budget';
    if (!isSilent(exchange)) {
      if (exchange.failure === undefined) silent = [];
      return exchange;
    }
    silent.push(exchange);
    if (canary !== undefined && silent.length >= silentInRow) await decide(canariesInRow);
    return exchange;
  }

  const exchange = (request: WireRequest, sending: Sending): Promise<Exchange> =>
    gone === undefined ? note(wire.exchange(request, sending)) : Promise.resolve(unsent(request, sending, gone));

  return {
    async open(request, sending) {
      await asking;
      if (gone !== undefined) {
        const ended = Promise.resolve(unsent(request, sending, gone));
        return { head: undefined, chunks: nothing(), close: () => undefined, ended };
      }
      const opened = await wire.open(request, sending);
      void note(opened.ended);
      return opened;
    },
    ...(wire.raw === undefined ? {} : { raw: wire.raw }),
    exchange(request: WireRequest, sending: Sending) {
      return asking === undefined ? exchange(request, sending) : asking.then(() => exchange(request, sending));
    },
    plain: wire,
    spent: () => spent,
    gone: () => gone,
    calm: () => decide(canariesForCalm),
    watch(asks) {
      canary = asks;
    },
  };
}
