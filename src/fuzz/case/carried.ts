import type { Dialect } from '../../dialect/index.js';
import { isObject, type JsonObject } from '../../model/index.js';
import type { CallStep, Value } from './case.js';
import { applyEdits } from './pointer.js';
import { nestsIn, print, sizeOf } from './values.js';

/** Larger params are not looked at. */
const mostLooked = 256 * 1024;

/**
 * Libraries read messages 100 levels deep, and a list in a value takes two of them: an agent that reads more may show it
 * to clients that cannot. The wire mutation `deep-struct` goes deeper, where nothing is shown again.
 */
const deepest = 40;

/** Whether a value holds a number that JSON can write, and no message can hold: 1e400. Level by level. */
function isBoundless(value: unknown): boolean {
  let level: readonly unknown[] = [value];
  while (level.length > 0) {
    if (level.some((item) => typeof item === 'number' && !Number.isFinite(item))) return true;
    level = level.flatMap((item): readonly unknown[] =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
  }
  return false;
}

/**
 * The params of a request as values that a message can be made of; undefined: there are none. `request`: the request
 * object; `read`: what its text says.
 */
export function valuesFor(request: Value, read: () => unknown): JsonObject | undefined {
  if (nestsIn(request) > deepest) return undefined;
  const whole = read();
  const params = isObject(whole) ? (whole['params'] ?? {}) : undefined;
  return isObject(params) && !isBoundless(params) ? params : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Whether a request has a form in the binding: a message has no room for a value of another type. Bindings that write
 * texts carry all.
 */
export function isCarried(dialect: Dialect, step: CallStep): boolean {
  const { binding, operations } = dialect;
  const names = operations[step.operation];
  if (binding.requests !== 'messages' || names === undefined) return true;
  const size = (step.edits ?? []).reduce((sum, { value = null }) => sum + sizeOf(value), sizeOf(step.params ?? null));
  if (size > mostLooked) return true;
  const { value } = applyEdits({ params: step.params ?? {} }, step.edits ?? []);
  const params = valuesFor(value, () => parsed(print(value, () => 'tck')));
  if (params === undefined) return false;
  const { operation } = step;
  return !('inexpressible' in binding.request({ operation, endpoint: 'http://agent.test/', names, params, id: 'tck' }));
}
