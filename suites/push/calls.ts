import {
  bodyText,
  isObject,
  isString,
  member,
  type Notification,
  type Scene,
  type TaskState,
  taskStates,
} from '../../src/kit/index.js';

// How notifications are read: 0.3 leaves the body open, 1.0 §4.3.3 defines it.

/** A server may ask whether there is a webhook before it uses it; such a request is not a notification. */
const isAsking = (method: string): boolean => method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
export const notified = (calls: readonly Notification[]): readonly Notification[] =>
  calls.filter(({ request }) => !isAsking(request.method));

/** The body as JSON; undefined when it is not JSON. */
export function jsonOf({ request }: Notification): unknown {
  try {
    return JSON.parse(bodyText(request.body)) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a member at any depth (20 levels at most) satisfies `holds`. */
export function anywhere(value: unknown, holds: (name: string, value: unknown) => boolean, depth = 0): boolean {
  if (depth > 20 || typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, inner]) => holds(name, inner) || anywhere(inner, holds, depth + 1));
}

/** The id of the task that a notification is about, whatever its body: the taskId of an event, or the id of a task. */
export function taskNamed(call: Notification): string | undefined {
  let ofTask: string | undefined;
  let ofEvent: string | undefined;
  walk(jsonOf(call), (value) => {
    const [id, taskId] = [member(value, 'id'), member(value, 'taskId')];
    if (isString(taskId) && taskId !== '') ofEvent ??= taskId;
    if (isString(id) && id !== '' && isObject(member(value, 'status'))) ofTask ??= id;
  });
  return ofTask ?? ofEvent;
}

/** Visits every object in a value. */
function walk(value: unknown, visit: (value: object) => void, depth = 0): void {
  if (depth > 20 || typeof value !== 'object' || value === null) return;
  visit(value);
  for (const inner of Object.values(value)) walk(inner, visit, depth + 1);
}

/** How the dialect spells a state. */
export function wordOf({ client }: Scene, state: TaskState): unknown {
  const task = client.dialect.operations.get.result.encode({ id: '', status: { state } });
  return member(member(task, 'status'), 'state');
}
/** The last word of a value, without case, prefix and separators: `TASK_STATE_INPUT_REQUIRED` is `input-required`. */
const bare = (value: string): string =>
  (
    value
      .toLowerCase()
      .split(/[.:/\s]/)
      .at(-1) ?? ''
  )
    .replace(/^task_state_/, '')
    .replace(/[^a-z]/g, '');
const named = new Map(taskStates.map((state) => [bare(state), state]));
/**
 * The state that a member names, in any spelling: 0.3 leaves the words to the agent. Ids and texts of parts do not
 * count.
 */
const stateIn = (name: string, value: unknown): TaskState | undefined =>
  isString(value) && value.length <= 100 && !/^text$|ids?$/i.test(name) ? named.get(bare(value)) : undefined;
export const tells = (call: Notification, state: TaskState): boolean =>
  anywhere(jsonOf(call), (name, value) => stateIn(name, value) === state);
export const tellsAnyState = (call: Notification): boolean =>
  anywhere(jsonOf(call), (name, value) => (name === 'state' && isString(value)) || stateIn(name, value) !== undefined);
/** The notification is an artifact event, not a state. */
export const bringsArtifact = (call: Notification): boolean =>
  anywhere(jsonOf(call), (name, value) => name === 'artifact' && isObject(value));
