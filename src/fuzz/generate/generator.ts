import type { Operation } from '../../model/index.js';
import type { CallStep, Case } from '../case/case.js';
import type { RandomSource } from './random-source.js';

/** Makes cases for one target. Every choice comes from the randomSource. */
export interface Generator {
  /** Operations that the dialect has, the agent claims, and the limits of the campaign allow. */
  readonly operations: readonly Operation[];
  /** A valid request of an operation. `names`: tasks that earlier steps began, to refer to. */
  valid(randomSource: RandomSource, operation: Operation, names: readonly string[]): CallStep;
  /** The same with one or several keywords of the schema broken; each edit is tagged with its keyword. */
  mutant(randomSource: RandomSource, operation: Operation, names: readonly string[]): CallStep;
  /** The same with a change to the text, the bytes or the connection. */
  tricked(randomSource: RandomSource, operation: Operation, names: readonly string[]): CallStep;
  /** A case that is tried before others, with others in between; undefined: not now, or none is left. */
  first?(randomSource: RandomSource): Case | undefined;
  /** One new case of any kind: a single request, or a short script. */
  fresh(randomSource: RandomSource): Case;
  /** A small change of `parent`: one more edit, more steps, parts of `other`, other words, names that were seen. */
  near(randomSource: RandomSource, parent: Case, other: Case | undefined): Case;
  /** Keeps a name from an answer, to be sent back. */
  remember(name: string): void;
  /** A script over tasks, contexts, subscriptions and configurations, legal and illegal, with one request at a time. */
  story(randomSource: RandomSource): Case;
  /** Up to 12 operations on one task at once, with the steps that bring it there and a last read. */
  race(randomSource: RandomSource): Case;
}
