import { createHash } from 'node:crypto';
import type { Shard } from '../report/index.js';
import type { Planned } from './plan.js';

/**
 * The share of a shard. Checks are dealt out like cards, to who has least. Those that run alone are all in the last one,
 * in their order: they may hurt the agent, and some look whether it was hurt. Laws are in each: they judge what it sent,
 * and `merged` puts the verdicts together.
 */
export function shareOf(planned: readonly Planned[], { index, of }: Shard): readonly Planned[] {
  const isAlone = ({ rule }: Planned): boolean => rule.kind === 'check' && rule.turn !== 'any';
  // The last hand begins with those that run alone.
  const hands = Array.from({ length: of }, (_, at) => (at === of - 1 ? planned.filter(isAlone).length : 0));
  return planned.filter((one) => {
    if (one.rule.kind === 'law') return true;
    if (isAlone(one)) return index === of;
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
 * What ids are made of. Shards share the seed; the same ids on the same agent would be taken for messages that come
 * twice.
 */
export function seedOfShard(seed: number, shard: Shard | undefined): number {
  if (shard === undefined) return seed;
  return createHash('sha256').update(`${seed} ${shard.index}/${shard.of}`).digest().readUInt32BE(0);
}
