import { isObject } from '../model/index.js';

/**
 * RFC 8785, JSON Canonicalization Scheme: no white space, members in the order of their UTF-16 code units, numbers and
 * strings as ECMAScript prints them. Members without a value are left out, as in `JSON.stringify`.
 * @throws TypeError for what is not JSON (§3.1): numbers that are not finite, lone surrogates, functions, bigints.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${value} is not JSON`);
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isObject(value)) throw new TypeError(`a ${typeof value} is not JSON`);
  const members = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    // The default order of JavaScript is the one of §3.2.3.
    .sort()
    .map((name) => `${quoted(name)}:${canonicalJson(value[name])}`);
  return `{${members.join(',')}}`;
}

function quoted(text: string): string {
  if (/\p{Surrogate}/u.test(text)) throw new TypeError('a lone surrogate cannot be written as JSON');
  return JSON.stringify(text);
}
