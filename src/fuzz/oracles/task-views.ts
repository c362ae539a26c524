import { isDeepStrictEqual } from 'node:util';
import { isSettled, member, type Part, type SendReply, type Task, weakMemo } from '../../model/index.js';
import type { Sent, Sight, Trace } from '../execute/trace.js';

/** Tasks that plain answers show whole, in the order in which they came. Streams show pieces only. */
export const sightsIn = weakMemo((trace: Trace): readonly Sight[] => trace.sent.flatMap(sightOf));

function sightOf(request: Sent): readonly Sight[] {
  const { operation } = request.step;
  if (operation !== 'send' && operation !== 'get' && operation !== 'cancel') return [];
  const { outcome } = request.reading;
  if (outcome.kind !== 'result' || request.reading.operation !== operation) return [];
  const task = operation === 'send' ? taskOf(outcome.value as SendReply) : (outcome.value as Task);
  return task === undefined || task.id === '' ? [] : [{ sent: request, task }];
}
const taskOf = (reply: SendReply): Task | undefined => (reply.type === 'task' ? reply.task : undefined);

const limitOf = ({ request, step }: Sent): unknown =>
  step.operation === 'send'
    ? member(member(member(request, 'params'), 'configuration'), 'historyLength')
    : member(member(request, 'params'), 'historyLength');

/**
 * A key for the share of the history that a sight shows: sights with the same key show the same share, or all of it.
 * undefined: the request was edited.
 */
export function shareOf({ sent }: Sight): string | undefined {
  const { operation, caller, edits = [] } = sent.step;
  return edits.length > 0 ? undefined : JSON.stringify([operation, caller ?? null, limitOf(sent) ?? 'all']);
}

const showAlike = (a: Sight, b: Sight): boolean => shareOf(a) !== undefined && shareOf(a) === shareOf(b);

/** Links may be signed anew for each reader, so only their presence is compared. */
const withoutLinks = <Whole extends { readonly parts: readonly Part[] }>(whole: Whole) => ({
  ...whole,
  parts: whole.parts.map((part) => (part.kind === 'file' ? { ...part, uri: part.uri !== undefined } : part)),
});
export const artifactsOf = ({ artifacts = [] }: Task) => artifacts.map(withoutLinks);
export const statusOf = ({ status }: Task) => ({ ...status, message: status.message && withoutLinks(status.message) });

/** What differs in the later sight, though nothing was accepted in between; undefined: nothing. */
export function differenceOf(a: Sight, b: Sight): string | undefined {
  const [before, after] = [a.task, b.task];
  if (!isSettled(before.status.state)) return undefined;
  // Waiting for authorization ends outside of the protocol (1.0 §7.6).
  if (before.status.state === 'auth-required') return undefined;
  if (before.status.state !== after.status.state) return 'state';
  if (before.artifacts !== undefined && after.artifacts !== undefined) {
    if (!isDeepStrictEqual(artifactsOf(before), artifactsOf(after))) return 'artifacts';
  }
  if (!showAlike(a, b)) return undefined;
  if ((before.artifacts?.length ?? 0) !== (after.artifacts?.length ?? 0)) return 'artifacts';
  const ids = ({ history = [] }: Task): readonly string[] => history.map(({ messageId }) => messageId);
  if (!isDeepStrictEqual(ids(before), ids(after))) return 'history';
  if (before.contextId !== after.contextId) return 'context';
  return isDeepStrictEqual(statusOf(before).message, statusOf(after).message) ? undefined : 'status message';
}
