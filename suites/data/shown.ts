import {
  type Artifact,
  isObject,
  type Message,
  type Part,
  type Reading,
  type SendReply,
  type Task,
} from '../../src/kit/index.js';

/** The task or message of an answer, decoded. Unreadable parts are left out; the schemas judge them. */
export interface Shown {
  readonly task: Task | undefined;
  /** A message that is itself the result. */
  readonly message: Message | undefined;
}

/** Empty for requests that were invalid on purpose: a defect in the answer may come from the kit's request. */
export function shown({ outcome, operation, valid }: Reading): Shown {
  const nothing = { task: undefined, message: undefined };
  if (outcome.kind !== 'result' || !valid || !isObject(outcome.value)) return nothing;
  if (operation === 'get' || operation === 'cancel') return { ...nothing, task: outcome.value as unknown as Task };
  if (operation !== 'send') return nothing;
  const reply = outcome.value as unknown as SendReply;
  return reply.type === 'task' ? { ...nothing, task: reply.task } : { ...nothing, message: reply.message };
}

export const artifactsOf = ({ task }: Shown): readonly Artifact[] => task?.artifacts ?? [];

/** The parts that the agent itself wrote. */
export function partsOf(seen: Shown): readonly Part[] {
  const messages = [seen.message, seen.task?.status.message, ...(seen.task?.history ?? [])];
  const own = messages.filter((message) => message?.role === 'agent');
  return [...artifactsOf(seen), ...own].flatMap((holder) => holder?.parts ?? []);
}
