import { createContext, Script } from 'node:vm';
import { TckError } from '../model/index.js';

/** Longest time for an expression or a schema of the user on one answer, ms. */
export const mostMs = 500;

const script = new Script('run()');

/**
 * What `run` returns, unless it takes too long: an expression of the user can take years on an answer of the agent. It
 * is stopped where it is. Throws what `run` throws, and `TckError('internal')` when the time is over.
 */
export function bounded<T>(run: () => T, timeout = mostMs): T {
  try {
    return script.runInContext(createContext({ run }), { timeout }) as T;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new TckError('internal', `it took longer than ${timeout} ms`);
  }
}
