import { aTask, describe, firstAnswer, type Outcome, type Scene, Unreached } from '../kit/index.js';

const deniedBy = (denied: Extract<Outcome<unknown>, { kind: 'denied' }>): string =>
  denied.message === undefined ? `HTTP ${denied.status}` : describe(denied);

/** Why the agent wants credentials, and what the user may do about it. */
function wanting({ xpr }: Scene, denied: string): string {
  if (xpr?.first !== undefined) {
    const { account } = xpr.first;
    return `the agent lets ${account} do nothing: is the key right, the account registered, --xpr-digest right? (${denied})`;
  }
  const advice =
    xpr === undefined
      ? 'give valid ones with --bearer-env, --header or --query-env'
      : 'give an account with --xpr-account and its key';
  return `the agent wants credentials (${denied}); ${advice}`;
}

/** Why nothing counts that an agent meets. */
export interface Doubt {
  readonly reason: string;
  /** It takes longer for a message than the kit waits: what it does not answer in time says nothing either. */
  readonly isLate?: true;
}

const soNothing = 'so nothing is shown by what it refuses';
const late: Doubt = {
  reason: `the agent was not seen to be done with a message in time, ${soNothing}; raise --timeout`,
  isLate: true,
};

/**
 * The control of the whole run: an agent must have been seen to accept something and to refuse something. What accepts
 * everything or refuses everything meets half of the sentences by accident, so nothing that it meets counts as shown.
 * Undefined: passes count.
 */
export async function standing(scene: Scene): Promise<Doubt | undefined> {
  const unknown = await scene.client.call('get', { id: scene.uuid() });
  if (unknown.kind === 'denied') return { reason: wanting(scene, deniedBy(unknown)) };
  if (unknown.kind !== 'refusal' || unknown.code === undefined) {
    const reason = `the agent was not seen to refuse anything (asked for a task that does not exist: ${describe(unknown)}), so nothing is shown by what it accepts`;
    return { reason };
  }
  for (const source of [firstAnswer, aTask('completed'), aTask('input-required')]) {
    try {
      await scene.use<unknown>(source);
      return undefined;
    } catch (error) {
      if (!(error instanceof Unreached)) throw error;
      const [option] = /--(read-only|xpr-allow-send|timeout)/.exec(error.message) ?? [];
      if (option === '--timeout') return late;
      if (option === '--read-only')
        return { reason: `under ${option} the agent cannot be seen to accept anything, ${soNothing}` };
      if (option !== undefined)
        return { reason: `without ${option} the agent cannot be seen to accept anything, ${soNothing}` };
    }
  }
  const advice = 'set behaviours.completed in the configuration';
  return { reason: `the agent was not seen to accept any message, ${soNothing}; ${advice}` };
}
