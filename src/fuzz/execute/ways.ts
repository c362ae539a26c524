import type { Client } from '../../client/index.js';
import { neutralPrompt, type Target } from '../../kit/index.js';

/** A task id that no agent uses. */
const nobodysTask = '00000000-0000-4000-8000-00000000f023';

/**
 * Makes the few calls by which a client learns which of two ways an agent has: verbs, paths and spellings that the text
 * leaves open (AMB10-04, AMB10-29, AMB03-15). All cases are then sent in that way. Nothing is sent in a binding that has
 * one way.
 */
export async function learnWays(client: Client, { card: { capabilities } }: Target): Promise<void> {
  const { binding, otherSpellings, operations } = client.dialect;
  if (binding.requests !== 'paths') return;
  if (capabilities.streaming && operations.subscribe?.http?.or !== undefined) {
    await client.call('subscribe', { id: nobodysTask }, { impatient: true });
  }
  if (otherSpellings === undefined) return;
  const message = {
    messageId: 'tck-ways',
    role: 'user' as const,
    parts: [{ kind: 'text' as const, text: neutralPrompt }],
  };
  const begun = await client.call('send', { message }, { impatient: true });
  const task = begun.kind === 'result' && begun.value.type === 'task' ? begun.value.task.id : undefined;
  if (!capabilities.push || task === undefined) return;
  const config = { id: 'tck-ways', url: 'https://example.com/tck' };
  await client.call('pushSet', { taskId: task, config }, { impatient: true });
  await client.call('pushDelete', { taskId: task, configId: config.id }, { impatient: true });
}
