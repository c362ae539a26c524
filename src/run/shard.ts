import { createHash } from 'node:crypto';
import { TckError } from '../model/index.js';
import type { Planned } from './plan.js';

/** One of several runs that share the checks of a whole one. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** Which part of which plan a run was. */
export interface ShardReport extends Shard {
  /** SHA-256 of the ids of the whole plan, hex: parts of one run have the same one. */
  readonly plan: string;
}

export const mostShards = 64;

/** `2/4`, counted from 1. Throws `TckError('usage')`. */
export function readShard(text: string): Shard {
  const [, index, of] = /^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (index !== undefined && shard.index >= 1 && shard.index <= shard.of && shard.of <= mostShards) return shard;
  throw new TckError(
    'usage',
    `--shard ${text} is none of at most ${mostShards}`,
    'give one as 1/4: they are counted from 1',
  );
}

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
