import { sentText } from '../../client/index.js';
import { isObject, type JsonObject, member, stringMember } from '../../model/index.js';
import { keyOf, noteOf, type Recorded } from './notes.js';
import type { Probes, Reading } from './reading.js';

/** Requests longer than this, in bytes, are not messages of a conversation. */
const longest = 128 * 1024;

/** The params of a request that may have left a message; undefined for all others. */
function sentBy({ exchange, operation }: Reading): JsonObject | undefined {
  const { body = new Uint8Array() } = exchange.request;
  if (operation !== undefined && operation !== 'send' && operation !== 'stream') return undefined;
  if (exchange.request.cut === true || body.length > longest) return undefined;
  try {
    const sent: unknown = JSON.parse(sentText(exchange));
    // HTTP+JSON has the params without an envelope.
    const params = member(sent, 'params') ?? sent;
    return isObject(params) && isObject(params['message']) ? params : undefined;
  } catch {
    return undefined;
  }
}

/** The id of the task in an answer to a send, in all spellings. */
function answeredBy({ outcome, stream }: Reading): string | undefined {
  const [event] = stream?.events ?? [];
  if (event !== undefined && event.type !== 'message') return event.type === 'task' ? event.task.id : event.taskId;
  if (outcome.kind !== 'result') return undefined;
  const task = member(outcome.wire, 'task') ?? outcome.wire;
  return member(task, 'status') === undefined ? undefined : stringMember(task, 'id');
}

interface Left {
  readonly message: string | undefined;
  readonly tasks: readonly (string | undefined)[];
}

/** The key of the task that a send was answered with; undefined: no send, or no task came. */
export const madeBy = noteOf((reading): string | undefined => {
  if (reading.operation !== undefined && reading.operation !== 'send' && reading.operation !== 'stream')
    return undefined;
  const id = answeredBy(reading);
  return id ? keyOf(id) : undefined;
});

/** The keys of what a broken request left; undefined: the request was not broken, or left nothing. */
export const leftBy = noteOf((reading): Left | undefined => {
  const params = reading.valid ? undefined : sentBy(reading);
  if (params === undefined) return undefined;
  const message = params['message'];
  const key = (id: string | undefined): string | undefined => (id ? keyOf(id) : undefined);
  return {
    message: key(stringMember(message, 'messageId')),
    tasks: [key(stringMember(message, 'taskId') ?? stringMember(params, 'id')), key(answeredBy(reading))],
  };
});

/** What the broken requests of a tape left, and the tasks that its sends were answered with. */
export function probesIn(tape: readonly Recorded[]): Probes {
  const made = new Set<string>();
  const messages = new Map<string, number>();
  const tasks = new Map<string, number>();
  for (const recorded of tape) {
    const left = leftBy(recorded);
    const at = recorded.exchange.startedAt;
    const note = (all: Map<string, number>, id: string | undefined): void => {
      if (id !== undefined) all.set(id, Math.min(at, all.get(id) ?? at));
    };
    note(messages, left?.message);
    for (const id of left?.tasks ?? []) note(tasks, id);
    const id = madeBy(recorded);
    if (id !== undefined) made.add(id);
  }
  return { made, messages, tasks };
}

/** Whether the answer may show the trace of a broken request with this id: the request was sent by then. */
const isLeft = ({ exchange }: Reading, left: ReadonlyMap<string, number>, id: string | undefined): boolean =>
  exchange.startedAt + exchange.durationMs >= (left.get(keyOf(id ?? '')) ?? Number.POSITIVE_INFINITY);

/** Whether a broken request joined this task, or became it. */
export const isProbed = (reading: Reading, taskId: string | undefined): boolean =>
  reading.probes !== undefined && isLeft(reading, reading.probes.tasks, taskId);

const fromUser = new Set(['user', 'ROLE_USER']);

/** The members of a document on the way to a place, the document first. */
function* wayTo(document: unknown, path: string): Generator<unknown> {
  let found = document;
  yield found;
  for (const step of path.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    found = Array.isArray(found) ? found[Number(name)] : member(found, name);
    yield found;
  }
}

/**
 * Whether a place in a document of an answer shows what a client wrote and no valid request of this run: the trace of
 * a broken request, or a message of the user in a task of another client, or of an earlier run.
 */
export function isOfProbe(reading: Reading, document: unknown, path: string): boolean {
  const { probes } = reading;
  if (probes === undefined || probes.made.size + probes.tasks.size + probes.messages.size === 0) return false;
  let isOfOther = false;
  for (const found of wayTo(document, path)) {
    if (!isObject(found)) continue;
    if (isOfOther && fromUser.has(stringMember(found, 'role') ?? '')) return true;
    if (isLeft(reading, probes.messages, stringMember(found, 'messageId'))) return true;
    if (isLeft(reading, probes.tasks, stringMember(found, 'taskId'))) return true;
    if (!Object.hasOwn(found, 'status') && !Object.hasOwn(found, 'history')) continue;
    const id = stringMember(found, 'id');
    if (isLeft(reading, probes.tasks, id)) return true;
    isOfOther ||= id !== undefined && probes.made.size > 0 && !probes.made.has(keyOf(id));
  }
  return false;
}
