import {
  type BrokenPlace,
  isObject,
  type JsonObject,
  type Law,
  type LawJudgement,
  member,
  type Target,
} from '../../src/kit/index.js';

export { noCard, noCardAt } from '../../src/kit/index.js';

// Shared by laws on the card: the card as it came, and which optional members it has.

/** Makes a law that judges the card itself and is silent about all other exchanges. */
export const onCard =
  (judge: (card: JsonObject, target: Target) => LawJudgement): Law['judge'] =>
  (reading, target) => {
    const document = reading.documents.find((document) => document.of === 'card');
    return document !== undefined && isObject(document.value) ? judge(document.value, target) : 'not-concerned';
  };

/** The broken places of the card itself; none in all other documents. */
export const placesOnCard =
  (find: (card: JsonObject, target: Target) => readonly BrokenPlace[]): NonNullable<Law['places']> =>
  ({ of, value }, target) =>
    of === 'card' && isObject(value) ? find(value, target) : [];

/** The reason why a law about an optional member does not apply. Without a card the reason is empty. */
export const unless =
  (missing: string, has: (card: JsonObject) => boolean) =>
  ({ cardDocument }: Target): string | undefined =>
    isObject(cardDocument) && !has(cardDocument) ? missing : undefined;

/**
 * One of the members has a value; null counts as no value. Where a schema forbids null, the law of that schema reports
 * it.
 */
export const own =
  (...names: readonly string[]) =>
  (value: unknown): boolean =>
    isObject(value) && names.some((name) => (member(value, name) ?? undefined) !== undefined);

/** The value is there, and it is not an empty list or map. */
export const filled = (value: unknown): boolean => {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isObject(value) || Object.keys(value).length > 0;
};

export const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];
