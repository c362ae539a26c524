import { createHash } from 'node:crypto';
import type { Shard } from '../../report/index.js';
import type { Planned } from './plan.js';

/**
 * The share of a shard. Each check goes to the shard with the fewest checks. Those that run after the others are all in
 * the last shard, in their order: they may hurt the agent, and some look whether it was hurt. Laws are in every shard:
 * they judge the exchanges of that shard, and `merged` combines the verdicts.
 */
export function shareOf(planned: readonly Planned[], { index, of }: Shard): readonly Planned[] {
  const isAlone = ({ rule }: Planned): boolean => rule.kind === 'check' && rule.turn !== 'any';
  // The last shard already has those that run alone.
  const hands = Array.from({ length: of }, (_, at) => (at === of - 1 ? planned.filter(isAlone).length : 0));
  return planned.filter((plannedRule) => {
    if (plannedRule.rule.kind === 'law') return true;
    if (isAlone(plannedRule)) return index === of;
    const least = hands.indexOf(Math.min(...hands));
    hands[least] = (hands[least] ?? 0) + 1;
    return least === index - 1;
  });
}

export const planDigest = (planned: readonly Planned[]): string =>
  createHash('sha256')
    .update(JSON.stringify(planned.map(({ rule, rows }) => [rule.id, rows.map((row) => row.id)])))
    .digest('hex');

/**
 * The seed of the ids of a shard. All shards have the same seed for the rest, but an agent would take equal ids for
 * repeated messages.
 */
export function seedOfShard(seed: number, shard: Shard | undefined): number {
  if (shard === undefined) return seed;
  return createHash('sha256').update(`${seed} ${shard.index}/${shard.of}`).digest().readUInt32BE(0);
}
