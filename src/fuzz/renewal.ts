import { isObject, isString } from '../model/index.js';
import type { Value } from './case.js';
import { valueAt, withAt } from './pointer.js';
import type { Injection } from './values.js';

// An agent may take a message once, and answer its id the next time with what came of it then (1.0 §3.3.1). What runs a
// case again therefore sends other messages: ids that were the same stay the same, and no other run has them.

const place = '/message/messageId';

/** The words in front steer some agents, so they stay. */
const renewedId = (id: string, run: string): string => `${id}-again-${run}`;

/** `run`: letters and digits. */
export function renewedParams(params: Value, run: string): Value {
  if (!isObject(params)) return params;
  const id = valueAt(params as Value, place);
  return isString(id) && id !== '' ? (withAt(params as Value, place, renewedId(id, run)) ?? params) : params;
}

/** The same for a second `messageId` beside it. */
export const renewedMember = (injection: Injection, run: string): Injection => ({
  ...injection,
  members: injection.members.replace(
    /^"messageId":"([^"\\]+)"/,
    (_, id: string) => `"messageId":"${renewedId(id, run)}"`,
  ),
});
