/** Reading foreign JSON without trusting it. */
export type JsonObject = { readonly [member: string]: unknown };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isString = (value: unknown): value is string => typeof value === 'string';

/** The own member of an object, or undefined; inherited members such as `constructor` do not count. */
export const member = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

export const stringMember = (value: unknown, name: string): string | undefined => {
  const found = member(value, name);
  return isString(found) ? found : undefined;
};

/** The strings of an array; an empty array for anything else. */
export const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter(isString) : []);

/** The first characters of what `JSON.stringify` gives, `limit` or a few more; the rest is never written. */
function beginning(value: unknown, limit: number): string {
  let text = '';
  function write(item: unknown): void {
    if (typeof item === 'string') text += JSON.stringify(item.length > limit ? item.slice(0, limit) : item);
    else if (Array.isArray(item)) {
      text += '[';
      for (let at = 0; at < item.length && text.length <= limit; at++) {
        if (at > 0) text += ',';
        write(item[at]);
      }
      text += ']';
    } else if (isObject(item) && typeof item['toJSON'] !== 'function') {
      text += '{';
      let isFirst = true;
      for (const name in item) {
        if (text.length > limit) break;
        const inner = item[name];
        if (!Object.hasOwn(item, name) || inner === undefined || typeof inner === 'function') continue;
        text += isFirst ? '' : ',';
        isFirst = false;
        write(name);
        text += ':';
        write(inner);
      }
      text += '}';
    } else text += JSON.stringify(item) ?? 'null';
  }
  write(value);
  return text;
}

/**
 * A short printable form of any JSON value, cut at `limit` characters. A large value costs no more than a small one.
 */
export function brief(value: unknown, limit = 120): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'function' || typeof value === 'symbol' ? String(value) : beginning(value, limit);
  return text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
}
