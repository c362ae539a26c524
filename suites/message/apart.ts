import { check, describe, inconclusive, type Judgement, plural, repeatedIn } from '../../src/kit/index.js';
import { isKnown, marked, othersThan, strange } from './marked.js';
import { taskIn } from './sends.js';

// A2A 1.0 §3.1.1, 0.3 §7.1: a send is answered with the task or message that belongs to it; §3.4.2: each new task has
// an id of its own.

// In our words (1.0, 3.1.1 Send Message): The answer to a message is about that message: its task, or its direct reply.
export const ownAnswer = check('message/own-answer', 'send.own-answer')
  .given('sent', marked)
  .last()
  .when('the client sends messages one after the other and eight at once', async ({ sent }) => {
    const [first] = sent;
    return (sent.find((marked) => strange(marked, othersThan(marked, sent)) !== undefined) ?? first)?.outcome;
  })
  .expects('answer each message with its own result', (_, { sent }): Judgement => {
    for (const marked of sent) {
      const found = strange(marked, othersThan(marked, sent));
      if (found !== undefined)
        return `the answer to the message ${marked.message.messageId} is of another one: ${found}`;
    }
    const refused = sent.find(({ outcome }) => outcome.kind !== 'result');
    if (refused !== undefined) return inconclusive(`the agent did not accept a message: ${describe(refused.outcome)}`);
    return sent.every(isKnown)
      ? undefined
      : inconclusive(
          'set behaviours.completed: an answer shows neither the words, nor the id, nor the context of its message',
        );
  })
  .advice('Keep what belongs to a message in the call that handles it, not in a variable that all calls share.');

// In our words (1.0, 3.4.2 Task Identifier Semantics): Two independent sends that create tasks get different task ids.
export const distinctIds = check('message/distinct-ids', 'send.distinct-ids')
  .given('sent', marked)
  .last()
  .when('the client sends messages one after the other and eight at once', async ({ sent }) =>
    sent.map(({ outcome }) => outcome),
  )
  .expects('answer each with a task of its own', (outcomes) => {
    const tasks = outcomes.map(taskIn);
    const ids = tasks.flatMap((task) => (typeof task === 'string' || task.id === '' ? [] : [task.id]));
    const twice = repeatedIn(ids);
    if (twice !== undefined) return `two answers carry the task id ${twice}`;
    if (ids.length > 1) return undefined;
    const why = tasks.find((task) => typeof task === 'string');
    return inconclusive(why ?? `only ${plural(ids.length, 'task')} came with an id`);
  })
  .advice(
    'Draw task ids at random: a clock or a count of tasks gives the same one twice to messages that come together.',
  );
