import { loadCosts } from '../../ledger/index.js';
import type { Semaphore } from '../../model/index.js';
import type { CheckResult } from '../../report/index.js';
import type { Clock, Tape } from '../../wire/index.js';
import { answeredOneByOne } from '../judging/one-by-one.js';
import { isSlow } from '../planning/estimate.js';
import type { Planned } from '../planning/plan.js';
import { isHard } from './congestion.js';

/** What goes on beside the checks of one interface. */
export interface Neighbours {
  /** Called when a place is free and no check waits for one; `waiting` resolves when all checks so far have ended. */
  meanwhile(waiting: Promise<unknown>): Promise<void>;
  /** Checks of other interfaces that still wait: those that run alone come after them. */
  readonly waiting: Promise<unknown> | undefined;
}

/** How checks are played, one or several at a time. */
export interface SchedulerOptions {
  readonly neighbours: Neighbours;
  /** Checks in flight, at most. */
  readonly slots: Semaphore;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly tape: Tape;
  /** Of one exchange. */
  readonly timeoutMs: number;
  /** The kit keeps under the agent's rate limit by itself, so a refusal is not caused by too many requests at once. */
  readonly isPaced: boolean;
  /** The run ends with the first failure, so no check begins before its turn. */
  readonly isFailFast: boolean;
  /** Judges one check on the live agent. */
  judge(plannedRule: Planned): Promise<CheckResult>;
  /** Takes the final result, once for each check. */
  settle(plannedRule: Planned, result: CheckResult): void;
  /** Waits until the agent answers a harmless request in time, or is found to be gone. */
  waitUntilResponsive(): Promise<void>;
  /** Exchanges that show a task that waits while the agent works on others of the kit. */
  waiting(): ReadonlyMap<string, unknown>;
  /** Ends what the kit has at work, and lets all sources search again. Resolves to whether nothing is at work now. */
  startAnew(): Promise<boolean>;
  /** Makes shared sources search again if they relied on late answers. */
  forgetLate(): void;
  /** Sets whether checks may send requests together that they otherwise send in turn. */
  sendTogether(may: boolean): void;
  /** The agent is gone, or never answers in time: waiting is useless. */
  isHopeless(): boolean;
}

/** Share of the timeout: an agent that answers within it was not crowded before either. */
const promptShare = 0.1;

/** Whether a failed or inconclusive result relies on an exchange that timed out. */
export const isLate = ({ verdict, exchanges }: CheckResult, { find }: Pick<Tape, 'find'>): boolean =>
  (verdict === 'fail' || verdict === 'inconclusive') && exchanges.some((id) => find(id)?.failure?.kind === 'timeout');

/** Whether a failed or inconclusive result relies on an answer that too many requests at once may have caused. */
const isOfCrowd = ({ verdict, exchanges }: CheckResult, { find }: Pick<Tape, 'find'>): boolean =>
  (verdict === 'fail' || verdict === 'inconclusive') &&
  exchanges.some((id) => {
    const exchange = find(id);
    return exchange !== undefined && exchange.failure?.kind !== 'timeout' && isHard(exchange);
  });

/**
 * Those that send most, with all that they find first, begin first, so that at the end no long chain is left. Where
 * answers are quick this saves nothing, and an agent that asks back by chance has then shown less before the search for
 * prompts begins.
 */
function longestFirst(all: readonly Planned[]): readonly Planned[] {
  const { sources, checks } = loadCosts();
  const lengthOf = ({ rule }: Planned): number => {
    const { own, uses } = checks[rule.id] ?? { own: [0, 0] as const, uses: [] };
    return [own, ...uses.map((name) => sources[name] ?? ([0, 0] as const))].reduce((sum, [a, b]) => sum + a + b, 0);
  };
  const lengths = new Map(all.map((plannedRule) => [plannedRule, lengthOf(plannedRule)]));
  return all.toSorted((first, second) => (lengths.get(second) ?? 0) - (lengths.get(first) ?? 0));
}

const turnOf = ({ rule }: Planned) => (rule.kind === 'check' ? rule.turn : 'any');

/**
 * Plays all checks. Those that wait for time begin before all others and end when they are ready, at the latest before
 * those that run alone; other interfaces are judged beside those of this one that take longest. Requests take longer
 * when many run at once, so a check with a late answer is played again and counts then: by itself if the agent is
 * crowded, that is, takes only one or few requests at once. Returns the ids of the exchanges that do not count.
 */
export async function scheduleChecks(
  live: readonly Planned[],
  playing: SchedulerOptions,
): Promise<ReadonlySet<string>> {
  const { slots, clock, tape, judge, settle, isHopeless } = playing;
  const superseded = new Set<string>();
  const again: { readonly plannedRule: Planned; readonly first: CheckResult }[] = [];
  const waited: typeof again = [];
  const begun = tape.exchanges.length;
  const isOneByOne = playing.concurrency === 1;
  let isCrowded = false;
  /** Whether a task waited for others of the kit's own, which keep the agent's workers. */
  function isWaiting({ verdict, exchanges }: CheckResult): boolean {
    if (verdict !== 'fail' && verdict !== 'inconclusive') return false;
    const waiting = playing.waiting();
    return exchanges.some((id) => waiting.has(id));
  }

  const supersede = (ids: readonly string[]): void => {
    for (const id of ids) if (tape.find(id)?.failure?.kind === 'timeout') superseded.add(id);
  };
  const supersedeHard = (ids: readonly string[]): void => {
    const waiting = playing.waiting();
    for (const id of ids) {
      const exchange = tape.find(id);
      if (exchange !== undefined && (isHard(exchange) || waiting.has(id))) superseded.add(id);
    }
  };

  async function play(plannedRule: Planned, isLast: boolean): Promise<void> {
    const result = await judge(plannedRule);
    if (isWaiting(result) && !isLast && !isHopeless()) {
      isCrowded = true;
      slots.halve();
      supersedeHard(result.exchanges);
      again.push({ plannedRule, first: result });
      return;
    }
    const wasCrowd = !playing.isPaced && isOfCrowd(result, tape);
    if (isOneByOne || !(wasCrowd || isLate(result, tape)) || isHopeless()) return settle(plannedRule, result);
    // Requests that the kit gave up may still be queued at the agent, and would delay the next answer too.
    const since = clock.now();
    await playing.waitUntilResponsive();
    if (isLast || isHopeless()) return settle(plannedRule, result);
    const isCrowd = wasCrowd || clock.now() - since > promptShare * playing.timeoutMs;
    if (isCrowd || answeredOneByOne(tape.exchanges.slice(begun)) !== undefined) {
      isCrowded = true;
      slots.halve();
    } else if (result.verdict !== 'fail') return settle(plannedRule, result);
    supersedeHard(result.exchanges);
    again.push({ plannedRule, first: result });
  }
  const together = (all: readonly Planned[], isLast: boolean) =>
    Promise.all(all.map((plannedRule) => slots.withPermit(() => play(plannedRule, isLast))));

  /**
   * Plays a check beside others that may break the agent or keep it busy; if it does not pass, it is judged again
   * alone.
   */
  async function playBeside(plannedRule: Planned): Promise<void> {
    const first = await judge(plannedRule);
    if (first.verdict !== 'fail' && first.verdict !== 'inconclusive') return settle(plannedRule, first);
    again.push({ plannedRule, first });
  }

  /** Waits for time by intention, so its late answers count, but for those of an agent that is crowded. */
  async function playFirst(plannedRule: Planned): Promise<void> {
    const result = await judge(plannedRule);
    if (isWaiting(result) || (!playing.isPaced && (isOfCrowd(result, tape) || isLate(result, tape))))
      waited.push({ plannedRule, first: result });
    else settle(plannedRule, result);
  }

  const isFirst = (plannedRule: Planned): boolean =>
    turnOf(plannedRule) === 'first' && !isOneByOne && !playing.isFailFast;
  const first = Promise.all(live.filter(isFirst).map((plannedRule) => slots.withPermit(() => playFirst(plannedRule))));
  const inTurn = live.filter(
    (plannedRule) => turnOf(plannedRule) === 'any' || (turnOf(plannedRule) === 'first' && !isFirst(plannedRule)),
  );
  const isInOrder = isOneByOne || playing.isFailFast || !isSlow(tape.exchanges);
  const any = together(isInOrder ? inTurn : longestFirst(inTurn), false);
  /** Makes room at the agent for those that waited; where it ends no work they would wait again, so they are settled. */
  async function endWaiting(open: typeof again): Promise<void> {
    if (isHopeless() || !open.some(({ first }) => isWaiting(first)) || (await playing.startAnew())) return;
    for (const each of open.splice(0)) {
      if (!isWaiting(each.first)) {
        open.push(each);
        continue;
      }
      for (const id of each.first.exchanges) superseded.delete(id);
      settle(each.plannedRule, each.first);
    }
  }
  /** Those whose judgement beside others does not count. */
  async function unsettled(): Promise<readonly Planned[]> {
    const open = again.splice(0);
    await endWaiting(open);
    if (open.length > 0) await playing.waitUntilResponsive();
    if (isHopeless()) for (const { plannedRule, first } of open.splice(0)) settle(plannedRule, first);
    for (const { first } of open) supersedeHard(first.exchanges);
    playing.forgetLate();
    return open.map(({ plannedRule }) => plannedRule);
  }

  /** All but those that run alone. */
  async function playOthers(): Promise<void> {
    await any;
    if (isHopeless()) {
      for (const { plannedRule, first } of again.splice(0)) settle(plannedRule, first);
      superseded.clear();
    } else if (isCrowded) supersede(tape.exchanges.slice(begun).map(({ id }) => id));
    await endWaiting(again);
    playing.forgetLate();
    const late = again.splice(0).map(({ plannedRule }) => plannedRule);
    if (!isCrowded) await together(late.splice(0), true);
    const last = live.filter((plannedRule) => turnOf(plannedRule) === 'last');
    const beside = slots.isRoomy() && !isHopeless() ? last : [];
    playing.sendTogether(beside.length > 0);
    await Promise.all(beside.map((plannedRule) => slots.withPermit(() => playBeside(plannedRule))));
    playing.sendTogether(false);
    const open = await unsettled();
    // In turn, but a check that waits aside lets the next one begin.
    slots.single();
    await Promise.all([
      first,
      together([...late, ...open, ...(beside.length > 0 ? [] : last)], true),
      playing.neighbours.waiting,
    ]);
  }

  const others = playOthers();
  // Places are given in the order of asking, so this one comes when each check has begun.
  await slots.withPermit(async () => undefined);
  // An agent that is crowded gets no more at once.
  const isShared = !isOneByOne && !isCrowded && !isHopeless();
  await Promise.all([others, isShared && playing.neighbours.meanwhile(others)]);
  if (!isShared) await playing.neighbours.meanwhile(others);
  for (const each of waited) {
    if (isCrowded || isWaiting(each.first) || isOfCrowd(each.first, tape)) again.push(each);
    else settle(each.plannedRule, each.first);
  }
  for (const plannedRule of [...(await unsettled()), ...live.filter((plannedRule) => turnOf(plannedRule) === 'alone')])
    await slots.withPermit(() => play(plannedRule, true));
  return superseded;
}
