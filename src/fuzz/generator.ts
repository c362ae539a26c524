import type { Operation } from '../model/index.js';
import type { CallStep, Case } from './case.js';
import type { Dice } from './dice.js';

/** Makes cases for one target. Every choice comes from the dice. */
export interface Generator {
  /** Operations that the dialect has, the agent claims, and the limits of the campaign allow. */
  readonly operations: readonly Operation[];
  /** A valid request of an operation. `names`: tasks that earlier steps began, to refer to. */
  valid(dice: Dice, operation: Operation, names: readonly string[]): CallStep;
  /** The same with one or several keywords of the schema broken, each tagged. */
  mutant(dice: Dice, operation: Operation, names: readonly string[]): CallStep;
  /** The same with a change to the text, the bytes or the connection. */
  tricked(dice: Dice, operation: Operation, names: readonly string[]): CallStep;
  /** What is tried before all else, with others in between; undefined: not now, or not any more. */
  first?(dice: Dice): Case | undefined;
  /** One new case of any kind: a single request, or a short script. */
  fresh(dice: Dice): Case;
  /** A case that is near another: an edit more, steps more, parts of `other`, other words, names that were seen. */
  near(dice: Dice, parent: Case, other: Case | undefined): Case;
  /** A name that an answer showed, to be sent back. */
  remember(name: string): void;
  /** A script over tasks, contexts, subscriptions and configurations, legal and illegal, one request after the other. */
  story(dice: Dice): Case;
  /** Up to 12 operations on one task at once, with what brings it there and a last look. */
  race(dice: Dice): Case;
}
