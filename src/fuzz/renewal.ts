import { createHash } from 'node:crypto';
import { isObject, isString } from '../model/index.js';
import type { Value } from './case.js';
import { valueAt, withAt } from './pointer.js';
import { isUnknownId, unknownPrefix } from './scripting.js';
import type { Injection } from './values.js';

// An agent may take a message once, and answer its id the next time with what came of it then (1.0 §3.3.1). What runs a
// case again therefore sends other messages: ids that were the same stay the same, and no other run has them. So it is with
// ids of tasks that nobody was given: one that an agent has made a task of is known the next time.

const place = '/message/messageId';

/** The words in front steer some agents, so they stay. */
const renewedId = (id: string, run: string): string => `${id}-again-${run}`;

const strangers = ['/id', '/taskId', '/message/taskId'];
const renewedStranger = (id: string, run: string): string =>
  `${unknownPrefix}${createHash('sha256').update(`${id} ${run}`).digest('hex').slice(0, 12)}`;

/** `run`: letters and digits. */
export function renewedParams(params: Value, run: string): Value {
  if (!isObject(params)) return params;
  let renewed = params as Value;
  const change = (at: string, made: (id: string) => string | undefined): void => {
    const id = valueAt(renewed, at);
    const other = isString(id) ? made(id) : undefined;
    if (other !== undefined) renewed = withAt(renewed, at, other) ?? renewed;
  };
  change(place, (id) => (id === '' ? undefined : renewedId(id, run)));
  for (const at of strangers) change(at, (id) => (isUnknownId(id) ? renewedStranger(id, run) : undefined));
  return renewed;
}

/** The same for a second `messageId` beside it. */
export const renewedMember = (injection: Injection, run: string): Injection => ({
  ...injection,
  members: injection.members.replace(
    /^"messageId":"([^"\\]+)"/,
    (_, id: string) => `"messageId":"${renewedId(id, run)}"`,
  ),
});
