import { TckError } from '../model/index.js';

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
    `--shard ${text} is not a part of a run: it has at most ${mostShards} parts`,
    'give one as 1/4: they are counted from 1',
  );
}
