import type { MessagesSeen } from '../client/index.js';
import { deniedText, describe, giveCredentials, type Outcome } from '../kit/index.js';
import type { Acceptance } from '../report/index.js';
import { excerpt } from '../wire/index.js';

/** What a run has seen of messages. */
export function acceptanceOf({ accepted, refused }: MessagesSeen): Acceptance {
  return accepted ? { accepted } : { accepted, why: whyNone(refused) };
}

function whyNone(refused: MessagesSeen['refused']): string {
  if (refused === undefined) return 'no message was sent';
  switch (refused.kind) {
    case 'withheld':
      return `no message was sent: ${refused.reason}`;
    case 'denied':
      return `no call was accepted: ${deniedText(refused)}; ${giveCredentials(refused.signs)}`;
    case 'busy':
      return `no message was accepted: ${overloadText(refused)}; ${raiseLimit}`;
    default:
      return `no message was accepted: ${refusalText(refused)}`;
  }
}

/** What came in place of an answer to a message: "-32603 Internal error". */
export const refusalText = (outcome: Outcome<unknown>): string =>
  outcome.kind === 'refusal' && outcome.code !== undefined
    ? `${outcome.code} ${excerpt(outcome.message, 100)}`
    : describe(outcome);

export const overloadText = (outcome: Outcome<unknown>): string =>
  `the agent is overloaded or limits its callers: ${describe(outcome)}`;
/** What the user may do about that. */
export const raiseLimit = 'raise its limit for the test, or give a lower --concurrency';
