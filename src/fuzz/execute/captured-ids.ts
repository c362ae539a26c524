import { type Reading, taskIdIn } from '../../kit/index.js';
import { isObject, isString, type StreamEvent, type Task } from '../../model/index.js';
import type { Begun } from './trace.js';

const contextIn = (event: StreamEvent | undefined): string | undefined => {
  if (event === undefined) return undefined;
  if (event.type === 'task') return event.task.contextId;
  return event.type === 'message' ? event.message.contextId : event.contextId;
};

type IdValues = Partial<Record<'task' | 'context' | 'config' | 'token', unknown>>;
function begunBy(idValues: IdValues): Begun | undefined {
  const begun: Begun = Object.fromEntries(Object.entries(idValues).filter(([, item]) => isString(item) && item !== ''));
  return Object.keys(begun).length === 0 ? undefined : begun;
}

/** The ids in an answer: of a task, its context, a configuration, the next page. undefined: it has none. */
export function capturedIds(reading: Reading): Begun | undefined {
  const { stream } = reading;
  if (stream !== undefined) {
    const task = stream.events.map(taskIdIn).find((id) => id !== undefined);
    return begunBy({ task, context: stream.events.map(contextIn).find(isString) });
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
      return begunBy({
        task: task?.['id'] ?? message?.['taskId'],
        context: task?.['contextId'] ?? message?.['contextId'],
      });
    }
    case 'get':
    case 'cancel':
      return begunBy({ task: value['id'], context: value['contextId'] });
    case 'list':
      return begunBy({ token: value['nextPageToken'] });
    case 'pushSet':
    case 'pushGet': {
      const config = isObject(value['config']) ? value['config'] : undefined;
      return begunBy({ task: value['taskId'], config: config?.['id'] });
    }
    default:
      return undefined;
  }
}

/** The complete task in the answer to a get or a send, if there is one. */
function taskIn({ operation, outcome }: Reading): Task | undefined {
  if (outcome.kind !== 'result' || !isObject(outcome.value)) return undefined;
  if (operation === 'get') return outcome.value as unknown as Task;
  if (operation !== 'send' || outcome.value['type'] !== 'task') return undefined;
  return outcome.value['task'] as Task;
}

/** What a pack notes of tasks; undefined: nothing new. */
let noteOf: ((task: Task) => unknown) | undefined;

/** Sets what is noted of each task in an answer. */
export function noting(note: (task: Task) => unknown): void {
  noteOf = note;
}

/** Adds what a pack notes of the task in an answer to each step that began the task. */
export function withNote(begun: Map<string, Begun>, reading: Reading): void {
  const task = noteOf && taskIn(reading);
  const noted = task && noteOf?.(task);
  if (task === undefined || noted === undefined) return;
  for (const [name, known] of begun) if (known.task === task.id) begun.set(name, { ...known, noted });
}
