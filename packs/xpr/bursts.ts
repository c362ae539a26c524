import {
  describe,
  type Exchange,
  inconclusive,
  isAdmitted,
  isObject,
  type Judgement,
  type Outcome,
  PreconditionUnmet,
  repliesOf,
  type Scene,
  sleep,
} from '../../src/kit/index.js';
import * as xpr from './shared/asking.js';

// Many requests in a minute, and how many the agent accepts.

export const minuteMs = 60_000;
/** A minute, and a second for network delays. */
export const restMs = minuteMs + 1000;

/** At most so many requests are sent to an agent in a minute. */
export const mostSent = 200;
/** Concurrent requests. */
const lanes = 5;

export interface Burst {
  readonly outcomes: readonly Outcome<unknown>[];
  readonly admitted: number;
  /** Refused by the agent's limit. A denial counts too, since the same caller was accepted just before. */
  readonly refused: number;
  /** Neither accepted nor refused. */
  readonly unclear: Outcome<unknown> | undefined;
  /** From the first request to the last answer, ms. */
  readonly spanMs: number;
  /** The exchange of the last accepted request. */
  readonly exhibit: Exchange | undefined;
}

const isRefused = ({ kind }: Outcome<unknown>): boolean => kind === 'busy' || kind === 'denied';

/** A refusal that is not a JSON-RPC answer: it may come from a server in front of the agent, for its own reasons. */
export function isBare(outcome: Outcome<unknown>): boolean {
  if (outcome.kind !== 'busy' && outcome.kind !== 'denied') return false;
  const reply = repliesOf(outcome.exchange)[0];
  return !(reply?.type === 'json' && isObject(reply.value) && Object.hasOwn(reply.value, 'jsonrpc'));
}
export const bare = inconclusive('the refusal may come from a proxy before the agent: it is not JSON-RPC');

/**
 * Sends requests as fast as the agent answers, the last few at once: an agent that counts too late then exceeds its
 * limit.
 */
export async function burst({ clock }: Scene, count: number, send: () => Promise<Outcome<unknown>>): Promise<Burst> {
  const started = clock.now();
  const outcomes: Outcome<unknown>[] = [];
  const last = Math.min(lanes, count);
  let left = count - last;
  async function lane(): Promise<void> {
    while (left > 0) {
      left--;
      outcomes.push(await send());
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  outcomes.push(...(await Promise.all(Array.from({ length: last }, send))));
  const shown = outcomes.findLast(isAdmitted);
  return {
    outcomes,
    admitted: outcomes.filter(isAdmitted).length,
    refused: outcomes.filter(isRefused).length,
    unclear: outcomes.find((outcome) => !isAdmitted(outcome) && !isRefused(outcome)),
    spanMs: clock.now() - started,
    exhibit: shown?.kind === 'result' || shown?.kind === 'refusal' ? shown.exchange : undefined,
  };
}

/** Joins two bursts without a pause between them. */
export const joined = (burst: Burst, other: Burst): Burst => ({
  outcomes: [...burst.outcomes, ...other.outcomes],
  admitted: burst.admitted + other.admitted,
  refused: burst.refused + other.refused,
  unclear: burst.unclear ?? other.unclear,
  spanMs: burst.spanMs + other.spanMs,
  exhibit: other.exhibit ?? burst.exhibit,
});

/** A correctly signed probe, sent without waiting for the limit. The kit still counts it for later waits. */
export const unpaced = (scene: Scene, caller: { readonly account: string } & Parameters<typeof xpr.probeAs>[1]) =>
  scene.client.call(
    'get',
    { id: scene.uuid() },
    { credentials: xpr.xprOf(scene).as(caller, { paced: false }), impatient: true },
  );

/** The limit in requests per minute. Throws `PreconditionUnmet` if reaching it takes more than `mostSent` requests. */
export function limitOf(scene: Scene, more: number): number {
  const { rate } = xpr.xprOf(scene);
  if (rate + more > mostSent) {
    throw new PreconditionUnmet(`the limit of ${rate} needs more than the ${mostSent} requests that the kit sends`);
  }
  return rate;
}

/** Why a burst cannot be judged; undefined when every request was accepted or refused, within a minute. */
export function disturbed({ unclear, spanMs }: Burst): Judgement {
  if (unclear !== undefined)
    return inconclusive(`the agent neither accepted nor refused some of the requests: ${describe(unclear)}`);
  if (spanMs >= minuteMs) return inconclusive('run again on a faster agent: the requests took more than a minute');
  return undefined;
}

/** Whether requests of others use up the account's limit; 'all' is shown twice. */
export type Cost = 'none' | 'all' | { readonly unclear: string };

/**
 * Sends requests that must not count, then a correct one; twice, since a window may end in between. If one is refused,
 * the kit repeats it in empty windows, with and without the other requests, to show that nothing else is the reason. A
 * stranger must be answered meanwhile, since a limit shared by all callers is not one of the account.
 */
export async function costOf(scene: Scene, waste: () => Promise<void>): Promise<Cost> {
  const caller = xpr.firstCaller(scene);
  const good = () => unpaced(scene, caller);
  const wasted = async () => {
    // Waits before the requests: during a later wait the agent might forget them.
    await xpr.xprOf(scene).as(caller).signer?.turn();
    await waste();
    return good();
  };
  let first = await wasted();
  if (isAdmitted(first)) first = await wasted();
  if (isAdmitted(first)) return 'none';
  if (!isRefused(first) || isBare(first)) return { unclear: describe(first) };
  await sleep(scene.clock, restMs);
  await waste();
  const second = await good();
  const somebody = await xpr.send(scene, xpr.signed(scene, xpr.xprOf(scene).stranger()));
  await sleep(scene.clock, restMs);
  const alone = await good();
  if (isRefused(second) && somebody.kind === 'busy')
    return { unclear: `the agent's limit then refuses every caller: ${describe(somebody)}` };
  if (isRefused(second) && isAdmitted(alone)) return 'all';
  return { unclear: `it was refused once (${describe(first)}), and not because of them; is --xpr-rate too high?` };
}
