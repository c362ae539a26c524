import { isObject, type JsonObject, type Law, type LawJudgement, member, type Target } from '../../src/kit/index.js';

export { noCard, noCardAt } from '../../src/kit/index.js';

// What laws on the card share: the card as it came, and which of its optional members are there.

/** Judges the card itself and is silent about everything else. */
export const onCard =
  (judge: (card: JsonObject, target: Target) => LawJudgement): Law['judge'] =>
  (reading, target) => {
    const document = reading.documents.find((one) => one.of === 'card');
    return document !== undefined && isObject(document.value) ? judge(document.value, target) : 'silent';
  };

/** The reason why a law about something optional does not apply; a card that never came is no such reason. */
export const unless =
  (missing: string, has: (card: JsonObject) => boolean) =>
  ({ cardDocument }: Target): string | undefined =>
    isObject(cardDocument) && !has(cardDocument) ? missing : undefined;

/** One of the members has a value; null is none. Where a schema forbids null, its law says so all the same. */
export const own =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    isObject(value) && names.some((name) => (member(value, name) ?? undefined) !== undefined);

/** Something stands there, and it is not an empty list or map. */
export const filled = (value: unknown): boolean => {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isObject(value) || Object.keys(value).length > 0;
};

export const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
