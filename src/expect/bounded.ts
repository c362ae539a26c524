import { inspect, stripVTControlCharacters } from 'node:util';
import { createContext, Script } from 'node:vm';
import { isObject } from '../model/index.js';
import { excerpt } from '../wire/index.js';
import type { ExpectedAnswer } from './expectation.js';

/** Longest time for an expression or a schema of the user on one answer, ms. */
export const mostMs = 500;
/** Longest time for a function of the user on one answer, ms. */
export const mostOfFunction = 30_000;
/** Most characters of what a function throws. */
const longestTold = 1000;

/** The time of something that the user gave is over. */
export class OutOfTime extends Error {}

const script = new Script('run()');

/**
 * What `run` returns, unless it takes too long: an expression of the user can take years on an answer of the agent. It
 * is stopped where it is. Throws what `run` throws, and `OutOfTime`.
 */
export function bounded<T>(run: () => T, timeout = mostMs): T {
  try {
    return script.runInContext(createContext({ run }), { timeout }) as T;
  } catch (error) {
    if (!isObject(error) || error['code'] !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new OutOfTime(`it took longer than ${timeout} ms`);
  }
}

const thrownText = (error: unknown): string => {
  const { message, name } = (isObject(error) ? error : {}) as { readonly message?: unknown; readonly name?: unknown };
  const text =
    typeof error === 'string' ? error : typeof message === 'string' ? message || String(name) : inspect(error);
  return excerpt(stripVTControlCharacters(text), longestTold);
};

/**
 * What a function of the user throws at an answer, as a text; undefined: the answer holds. Throws `OutOfTime`: a loop
 * before the first `await` is stopped where it is, a promise is no longer waited for.
 */
export async function thrownBy(
  holds: (answer: ExpectedAnswer) => unknown,
  answer: ExpectedAnswer,
  limitMs: number,
): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutOfTime(`it took longer than ${limitMs} ms`)), limitMs);
  });
  try {
    await Promise.race([bounded(() => holds(answer), limitMs), over]);
    return undefined;
  } catch (error) {
    if (error instanceof OutOfTime) throw new OutOfTime(`the function took longer than ${limitMs / 1000} s`);
    return thrownText(error);
  } finally {
    clearTimeout(timer);
  }
}
