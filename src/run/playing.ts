import type { Slots } from '../model/index.js';
import type { CheckResult } from '../report/index.js';
import type { Clock, Tape } from '../wire/index.js';
import { isHard } from './congestion.js';
import type { Planned } from './plan.js';

/** How checks are played, one or several at a time. */
export interface Playing {
  /** Checks in flight, at most. */
  readonly slots: Slots;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly tape: Tape;
  /** Of one exchange. */
  readonly timeoutMs: number;
  /** The kit keeps under the agent's limit by itself: what is refused all the same does not come of how much is asked at once. */
  readonly isPaced: boolean;
  /** Judges one check on the live agent. */
  judge(one: Planned): Promise<CheckResult>;
  /** Takes the judgement that counts, once for each check. */
  settle(one: Planned, result: CheckResult): void;
  /** Waits until the agent answers a harmless request in time, or is found to be gone. */
  calm(): Promise<void>;
  /** What shared sources have found with answers that came too late is looked for again. */
  forgetLate(): void;
  /** Whether checks may send together what they send in turn otherwise. */
  sendTogether(may: boolean): void;
  /** The agent is gone, or never in time: there is nothing to wait for. */
  isHopeless(): boolean;
}

/** Of the time that an answer may take: an agent that is calm by then was so before. */
const promptShare = 0.1;

/** Something that a judgement rests on was not answered in time, where that may be held against the agent. */
export const isLate = ({ verdict, exchanges }: CheckResult, { find }: Pick<Tape, 'find'>): boolean =>
  (verdict === 'fail' || verdict === 'inconclusive') && exchanges.some((id) => find(id)?.failure?.kind === 'timeout');

/** It rests on an answer that may have come of how much was asked at once. */
const isOfCrowd = ({ verdict, exchanges }: CheckResult, { find }: Pick<Tape, 'find'>): boolean =>
  (verdict === 'fail' || verdict === 'inconclusive') &&
  exchanges.some((id) => {
    const exchange = find(id);
    return exchange !== undefined && exchange.failure?.kind !== 'timeout' && isHard(exchange);
  });

const turnOf = ({ rule }: Planned) => (rule.kind === 'check' ? rule.turn : 'any');

/**
 * Plays all checks, in the order of `live` where they are played alone. Many at once take longer than one after the
 * other: what was late then counts when it comes again, and alone where the agent is crowded, which takes one request
 * after the other or too few at once. Gives the ids of the exchanges that count for nothing.
 */
export async function playAll(live: readonly Planned[], playing: Playing): Promise<ReadonlySet<string>> {
  const { slots, clock, tape, judge, settle, isHopeless } = playing;
  const superseded = new Set<string>();
  const again: { readonly one: Planned; readonly first: CheckResult }[] = [];
  const begun = tape.exchanges.length;
  const isOneByOne = playing.concurrency === 1;
  let isCrowded = false;

  const supersede = (ids: readonly string[]): void => {
    for (const id of ids) if (tape.find(id)?.failure?.kind === 'timeout') superseded.add(id);
  };
  const supersedeHard = (ids: readonly string[]): void => {
    for (const id of ids) {
      const exchange = tape.find(id);
      if (exchange !== undefined && isHard(exchange)) superseded.add(id);
    }
  };

  async function play(one: Planned, isLast: boolean): Promise<void> {
    const result = await judge(one);
    const wasCrowd = !playing.isPaced && isOfCrowd(result, tape);
    if (isOneByOne || !(wasCrowd || isLate(result, tape)) || isHopeless()) return settle(one, result);
    // What was given up may still stand in line, and would make the next answer late too.
    const since = clock.now();
    await playing.calm();
    if (isLast || isHopeless()) return settle(one, result);
    if (wasCrowd || clock.now() - since > promptShare * playing.timeoutMs) {
      isCrowded = true;
      slots.narrow();
    } else if (result.verdict !== 'fail') return settle(one, result);
    supersedeHard(result.exchanges);
    again.push({ one, first: result });
  }
  const together = (all: readonly Planned[], isLast: boolean) =>
    Promise.all(all.map((one) => slots.hold(() => play(one, isLast))));

  /** What does not pass beside others that may break the agent, or keep it busy, is judged again by itself. */
  async function playBeside(one: Planned): Promise<void> {
    const first = await judge(one);
    if (first.verdict !== 'fail' && first.verdict !== 'inconclusive') return settle(one, first);
    again.push({ one, first });
  }

  await together(
    live.filter((one) => turnOf(one) === 'any'),
    false,
  );
  if (isHopeless()) {
    for (const { one, first } of again.splice(0)) settle(one, first);
    superseded.clear();
  } else if (isCrowded) supersede(tape.exchanges.slice(begun).map(({ id }) => id));
  playing.forgetLate();
  const late = again.splice(0).map(({ one }) => one);
  if (!isCrowded) await together(late.splice(0), true);
  const afterAll = live.filter((one) => turnOf(one) !== 'any');
  const beside = slots.isRoomy() && !isHopeless() ? afterAll.filter((one) => turnOf(one) === 'last') : [];
  playing.sendTogether(beside.length > 0);
  await Promise.all(beside.map((one) => slots.hold(() => playBeside(one))));
  playing.sendTogether(false);
  const open = again.splice(0);
  if (open.length > 0) await playing.calm();
  if (isHopeless()) for (const { one, first } of open.splice(0)) settle(one, first);
  for (const { first } of open) supersedeHard(first.exchanges);
  playing.forgetLate();
  const unplayed = afterAll.filter((one) => !beside.includes(one));
  const byThemselves = [...late, ...open.map(({ one }) => one), ...unplayed];
  for (const one of byThemselves) await slots.hold(() => play(one, true));
  return superseded;
}
