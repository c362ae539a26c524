import { aTask, describe, firstAnswer, type Scene, Unreached } from '../kit/index.js';

/**
 * The control of the whole run: an agent must have been seen to accept something and to refuse something. What accepts
 * everything or refuses everything meets half of the sentences by accident, so nothing that it meets counts as shown.
 * Gives the reason why passes do not count, or undefined.
 */
export async function standing(scene: Scene): Promise<string | undefined> {
  const unknown = await scene.client.call('get', { id: scene.uuid() });
  if (unknown.kind === 'denied') {
    return unknown.message === undefined
      ? `the agent wants credentials (HTTP ${unknown.status}); give valid ones with --bearer-env, --header or --query-env`
      : `the agent wants credentials (${describe(unknown)}); give an account with --xpr-account and its key`;
  }
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
