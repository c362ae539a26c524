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

/**
 * The control of the whole run: an agent must have been seen to accept something and to refuse something. What accepts
 * everything or refuses everything meets half of the sentences by accident, so nothing that it meets counts as shown.
 * Gives the reason why passes do not count, or undefined.
 */
export async function standing(scene: Scene): Promise<string | undefined> {
  const unknown = await scene.client.call('get', { id: scene.uuid() });
  if (unknown.kind === 'denied') return wanting(scene, deniedBy(unknown));
  if (unknown.kind !== 'refusal' || unknown.code === undefined) {
    return `the agent was not seen to refuse anything (asked for a task that does not exist: ${describe(unknown)}), so nothing is shown by what it accepts`;
  }
  for (const source of [firstAnswer, aTask('completed'), aTask('input-required')]) {
    try {
      await scene.use<unknown>(source);
      return undefined;
    } catch (error) {
      if (!(error instanceof Unreached)) throw error;
      const [option] = /--(read-only|xpr-allow-send)/.exec(error.message) ?? [];
      if (option === '--read-only')
        return 'under --read-only the agent cannot be seen to accept anything, so nothing is shown by what it refuses';
      if (option !== undefined)
        return `without ${option} the agent cannot be seen to accept anything, so nothing is shown by what it refuses`;
    }
  }
  return 'the agent was not seen to accept any message, so nothing is shown by what it refuses; set behaviours.completed in the configuration';
}
