import type { TaskState } from './task.js';

/** A2A 0.3 §6.1, 1.0 §4.1.3: a task in one of these never changes again. */
export const terminalStates: ReadonlySet<TaskState> = new Set(['completed', 'canceled', 'failed', 'rejected']);

/** The agent waits for the client. */
export const interruptedStates: ReadonlySet<TaskState> = new Set(['input-required', 'auth-required']);

export const isTerminal = (state: TaskState): boolean => terminalStates.has(state);
export const isInterrupted = (state: TaskState): boolean => interruptedStates.has(state);
/** The task is terminal or interrupted: nothing more happens without the client. */
export const isSettled = (state: TaskState): boolean => isTerminal(state) || isInterrupted(state);

/**
 * Whether an observer may see `from` and later `to`. Observations skip states, so only two things are forbidden:
 * leaving a terminal state, and coming back to `submitted`. `unknown` says nothing, so it forbids nothing.
 */
export function mayFollow(from: TaskState, to: TaskState): boolean {
  if (from === to) return true;
  if (isTerminal(from)) return false;
  return to !== 'submitted' || from === 'unknown';
}
