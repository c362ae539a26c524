import {
  accepted,
  inconclusive,
  type Judgement,
  lacksOperation,
  type Outcome,
  type Scene,
} from '../../src/kit/index.js';

/** The agent may lack this method, and does: there is nothing to judge. */
export const isLeftOut = (outcome: Outcome<unknown>, { client }: Scene): boolean => {
  const operation = outcome.kind === 'refusal' ? outcome.exchange.call?.operation : undefined;
  const unknown = lacksOperation(outcome);
  return unknown && operation !== undefined && client.dialect.optional.includes(operation);
};

export const leftOut = 'the agent does not have the method, which this version lists as optional';

/** Accepted; unproven where the agent lacks an optional method. */
export const offered = (outcome: Outcome<unknown>, scene: Scene): Judgement =>
  isLeftOut(outcome, scene) ? inconclusive(leftOut) : accepted(outcome);
