import { type Reading, taskIdIn } from '../kit/index.js';
import { isObject, isString, type StreamEvent, type Task } from '../model/index.js';
import { offerIn } from './payer.js';
import type { Begun } from './trace.js';

const contextIn = (event: StreamEvent | undefined): string | undefined => {
  if (event === undefined) return undefined;
  if (event.type === 'task') return event.task.contextId;
  return event.type === 'message' ? event.message.contextId : event.contextId;
};

function begunBy(task: unknown, context: unknown, config: unknown): Begun | undefined {
  const begun: Begun = {
    ...(isString(task) && task !== '' ? { task } : {}),
    ...(isString(context) && context !== '' ? { context } : {}),
    ...(isString(config) && config !== '' ? { config } : {}),
  };
  return Object.keys(begun).length === 0 ? undefined : begun;
}

/** The ids that an answer tells: of a task, its context, a configuration. undefined: it tells none. */
export function begunIn(reading: Reading): Begun | undefined {
  const { stream } = reading;
  if (stream !== undefined) {
    const task = stream.events.map(taskIdIn).find((id) => id !== undefined);
    return begunBy(task, stream.events.map(contextIn).find(isString), undefined);
  }
  const { outcome } = reading;
  if (outcome.kind !== 'result' || !isObject(outcome.value)) return undefined;
  const { value } = outcome;
  switch (reading.operation) {
    case 'send':
    case 'stream':
    case 'subscribe': {
      const task = isObject(value['task']) ? value['task'] : undefined;
      const message = isObject(value['message']) ? value['message'] : undefined;
      return begunBy(task?.['id'] ?? message?.['taskId'], task?.['contextId'] ?? message?.['contextId'], undefined);
    }
    case 'get':
    case 'cancel':
      return begunBy(value['id'], value['contextId'], undefined);
    case 'pushSet':
    case 'pushGet': {
      const config = isObject(value['config']) ? value['config'] : undefined;
      return begunBy(value['taskId'], undefined, config?.['id']);
    }
    default:
      return undefined;
  }
}

/** The task that an answer shows whole. */
function taskIn({ operation, outcome }: Reading): Task | undefined {
  if (outcome.kind !== 'result' || !isObject(outcome.value)) return undefined;
  if (operation === 'get') return outcome.value as unknown as Task;
  if (operation !== 'send' || outcome.value['type'] !== 'task') return undefined;
  return outcome.value['task'] as Task;
}

/** Notes what an answer wants for a task that a step began. */
export function withOffer(begun: Map<string, Begun>, reading: Reading): void {
  const task = taskIn(reading);
  const offer = task && offerIn(task);
  if (task === undefined || offer === undefined) return;
  for (const [name, known] of begun) if (known.task === task.id) begun.set(name, { ...known, offer });
}
