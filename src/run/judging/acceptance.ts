import { errorOf, type MessagesSeen } from '../../client/index.js';
import { deniedText, describe, giveCredentials, type Outcome } from '../../kit/index.js';
import type { Acceptance } from '../../report/index.js';
import { excerpt } from '../../wire/index.js';

/** Whether a run saw a message accepted, and if not, why not. */
export function acceptanceOf({ accepted, refused, streams }: MessagesSeen): Acceptance {
  const more = streams === undefined ? {} : { streams };
  return accepted ? { accepted, ...more } : { accepted, why: whyNone(refused), ...more };
}

function whyNone(refused: MessagesSeen['refused']): string {
  if (refused === undefined) return 'no message was sent';
  switch (refused.kind) {
    case 'not-sent':
      return `no message was sent: ${refused.reason}`;
    case 'denied':
      return `no call was accepted: ${deniedText(refused)}; ${giveCredentials(refused.signs)}`;
    case 'busy':
      return `no message was accepted: ${overloadText(refused)}; ${raiseLimit}`;
    default:
      return `no message was accepted: ${refusalText(refused)}`;
  }
}

/** A refused message in a few words: "-32603 Internal error". */
export const refusalText = (outcome: Outcome<unknown>): string =>
  outcome.kind === 'refusal' && outcome.inForm
    ? `${errorOf(outcome)} ${excerpt(outcome.message, 100)}`
    : describe(outcome);

export const overloadText = (outcome: Outcome<unknown>): string =>
  `the agent is overloaded or limits its callers: ${describe(outcome)}`;
/** Advice for an overloaded agent or one that limits its callers. */
export const raiseLimit = 'raise its limit for the test, or give a lower --concurrency';
