import { createHash } from 'node:crypto';
import { isObject, isString } from '../../model/index.js';
import type { Value } from '../case/case.js';
import { valueAt, withAt } from '../case/pointer.js';
import type { Injection } from '../case/values.js';
import { isUnknownId, unknownPrefix } from '../generate/scripting.js';

// An agent may accept a message once, and answer its id the next time with the earlier result (1.0 §3.3.1). So a case
// that is run again sends new ids of messages: equal ids stay equal, and no other run has them. Ids of unknown tasks
// are renewed as well: an agent may have made a task with such an id.

const place = '/message/messageId';

/** The beginning of an id steers some agents, so it stays. */
const renewedId = (id: string, run: string): string => `${id}-again-${run}`;

const strangers = ['/id', '/taskId', '/message/taskId'];
const renewedStranger = (id: string, run: string): string =>
  `${unknownPrefix}${createHash('sha256').update(`${id} ${run}`).digest('hex').slice(0, 12)}`;

/** Params with new ids. `run`: letters and digits. */
export function withFreshIds(params: Value, run: string): Value {
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

/** The same for a second `messageId` that a wire mutation adds. */
export const freshMember = (injection: Injection, run: string): Injection => ({
  ...injection,
  members: injection.members.replace(
    /^"messageId":"([^"\\]+)"/,
    (_, id: string) => `"messageId":"${renewedId(id, run)}"`,
  ),
});
