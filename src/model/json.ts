/** Reading foreign JSON without trusting it. */
export type JsonObject = { readonly [member: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isString = (value: unknown): value is string => typeof value === 'string';

/** The member of an object that is its own, or undefined; inherited members such as `constructor` do not count. */
export const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const stringMember = (value: unknown, name: string): string | undefined => {
  const found = member(value, name);
  return isString(found) ? found : undefined;
};

/** The strings of an array; an empty array for anything else. */
export const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter(isString) : []);

/** A short printable form of any JSON value, cut at `limit` characters. */
export function brief(value: unknown, limit = 120): string {
  let text: string;
  try {
    text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value));
  } catch {
    // Nested more deeply than the stack is high; only foreign JSON can be.
    text = Array.isArray(value) ? '[[…' : '{…';
  }
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}
