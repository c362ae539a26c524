import { isObject } from '../../model/index.js';
import type { Value } from './case.js';
import { stepsOf } from './pointer.js';
import { type Injection, isLeftOut, print, type Resolve, specialOf, unresolvedId } from './values.js';

// Params as plain JSON values, for bindings that write a part of them into a path and a query. What such a value cannot
// hold is a stand-in, which is replaced in the text that goes out.

/** Letters, digits and `_`: the same in JSON, in a path and in a query. */
const standIn = (at: number): string => `tckvalue8d1f_${at}_`;
const standIns = /"tckvalue8d1f_(\d{1,6})_":0|"tckvalue8d1f_(\d{1,6})_"|tckvalue8d1f_(\d{1,6})_/g;

/** Longer texts are stand-ins. */
const mostWritten = 65_536;

export interface PlainParams {
  readonly value: unknown;
  /** A text of JSON with what the stand-ins in it stand for. */
  inJson(text: string): string;
  /** The same for a URL, in which all is percent-encoded text. */
  inUrl(url: string): string;
}

/** The text of a value in a URL: that of a string, and the JSON of anything else. */
export const urlText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** The text of a stand-in: that of a string of JSON, and the JSON text of anything else. */
function textOf(json: string): string {
  try {
    return json.startsWith('"') ? String(JSON.parse(json)) : json;
  } catch {
    return json;
  }
}

const encoded = (text: string): string => encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '\ufffd'));

/** `injections`: members for objects in the params; those of a place that is not there are dropped. */
export function plainParams(params: Value, resolve: Resolve, injections: readonly Injection[]): PlainParams {
  /** What each stand-in stands for, as JSON. */
  const all: string[] = [];
  const mark = (json: string): string => standIn(all.push(json) - 1);

  function special(value: Value): unknown {
    const found = specialOf(value);
    if (found?.is === 'ref') return resolve(found.ref) ?? unresolvedId(found.ref);
    const isShort = found?.is === 'text' && found.unit.length * found.times <= mostWritten;
    // Repeated halves of surrogate pairs would form characters.
    if (isShort && !/\p{Cs}/u.test(found.unit)) return found.unit.repeat(found.times);
    return found === undefined ? undefined : mark(print(value, resolve));
  }

  function members(value: Value & object, steps: readonly string[]): unknown {
    const injected = injections.filter(({ at }) => stepsOf(at).join('/') === steps.join('/'));
    const marks = (where: Injection['where']) =>
      injected
        .filter((injection) => injection.where === where)
        .map((injection): readonly [string, unknown] => [mark(injection.members), 0]);
    const own = Object.entries(value)
      .filter(([, item]) => !isLeftOut(item as Value, resolve))
      .map(([name, member]): readonly [string, unknown] => [name, plain(member as Value, [...steps, name])]);
    // fromEntries defines members, so `__proto__` stays a plain one.
    return Object.fromEntries([...marks('first'), ...own, ...marks('last')]);
  }

  function plain(value: Value, steps: readonly string[]): unknown {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map((item: Value, at) => plain(item, [...steps, String(at)]));
    return special(value) ?? members(value, steps);
  }

  const value = plain(params, ['params']);
  if (all.length === 0) return { value, inJson: (text) => text, inUrl: (url) => url };
  return {
    value,
    inJson: (text) =>
      text.replaceAll(standIns, (whole, member?: string, string?: string, bare?: string) => {
        const json = all[Number(member ?? string ?? bare)];
        if (json === undefined) return whole;
        return bare === undefined ? json : JSON.stringify(textOf(json)).slice(1, -1);
      }),
    inUrl: (url) =>
      url.replaceAll(standIns, (whole, _, __, bare?: string) => {
        const json = all[Number(bare)];
        return json === undefined ? whole : encoded(textOf(json));
      }),
  };
}

/** The params with the text of each member that the binding does not carry as JSON. */
export const withTexts = (value: unknown, isTyped: (member: string) => boolean): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name,
          isTyped(name) || member === undefined ? member : urlText(member),
        ]),
      )
    : value;
