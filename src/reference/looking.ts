import { isObject, member } from '../model/index.js';
import { bodyText } from '../wire/index.js';
import type { Incoming } from './calls.js';

// What a fault looks at in a request. A request may be anything: nothing here throws, and nothing recurses.

export const bytesOf = ({ body }: Incoming): Uint8Array => body ?? new Uint8Array();
export const textOf = ({ body }: Incoming): string => bodyText(body);

export const paramsIn = (sent: unknown): unknown => member(sent, 'params');
export const messageIn = (sent: unknown): unknown => member(paramsIn(sent), 'message');
export const partsIn = (sent: unknown): readonly unknown[] => listOf(member(messageIn(sent), 'parts'));
/** The task that a call names, or what stands in its place. */
export const taskIn = (sent: unknown): unknown =>
  member(paramsIn(sent), 'id') ?? member(paramsIn(sent), 'taskId') ?? member(messageIn(sent), 'taskId');

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** The texts of the parts of a message. */
export const textsIn = (sent: unknown): readonly unknown[] => partsIn(sent).map((part) => member(part, 'text'));

/** Whether `is` holds for a member or an element anywhere in a JSON value. */
export function somewhere(value: unknown, is: (item: unknown, name: string) => boolean): boolean {
  let level: readonly (readonly [name: string, one: unknown])[] = [['', value]];
  while (level.length > 0) {
    if (level.some(([name, member]) => is(member, name))) return true;
    level = level.flatMap(([, item]) => (typeof item === 'object' && item !== null ? Object.entries(item) : []));
  }
  return false;
}

export const countMembers = (value: unknown): number => {
  let count = 0;
  somewhere(value, (item) => {
    if (isObject(item)) count += Object.keys(item).length;
    return false;
  });
  return count;
};

/** How many brackets are open at once at most; texts that hold brackets count too. */
export function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (const letter of text) {
    if (letter === '[' || letter === '{') most = Math.max(most, ++depth);
    else if (letter === ']' || letter === '}') depth--;
  }
  return most;
}
