import { type Artifact, isTerminal, mayFollow, type Task } from '../model/index.js';
import type { TaskEvent } from './store.js';

/**
 * The life cycle of a task (0.3 §6.1, §6.3), pure. An event to a task in a terminal state and an illegal step change
 * nothing: both return the same task.
 */
export function transition(task: Task, event: TaskEvent): Task {
  const { state, message } = task.status;
  if (isTerminal(state)) return task;
  switch (event.type) {
    case 'message':
      return { ...task, history: [...(task.history ?? []), event.message] };
    case 'artifact':
      return { ...task, artifacts: withArtifact(task.artifacts ?? [], event.artifact, event.append === true) };
    case 'status': {
      if (!mayFollow(state, event.status.state)) return task;
      // The status message so far moves to the history when a new status comes.
      const history = message === undefined ? task.history : [...(task.history ?? []), message];
      return { ...task, status: event.status, ...(history === undefined ? {} : { history }) };
    }
  }
}

function withArtifact(kept: readonly Artifact[], made: Artifact, append: boolean): readonly Artifact[] {
  const at = kept.findIndex((artifact) => artifact.artifactId === made.artifactId);
  const old = kept[at];
  if (old === undefined) return [...kept, made];
  return kept.with(at, append ? { ...old, parts: [...old.parts, ...made.parts] } : made);
}

/** Puts the last message of a completed task into its history as well (OpenClaw design, Response Mapping). */
export function withAnswer(task: Task): Task {
  const { state, message } = task.status;
  if (state !== 'completed' || message === undefined) return task;
  return { ...task, history: [...(task.history ?? []), message] };
}

/** Newest `length` messages (0.3 §7.3.1); 0 shows none (AMB03-06 allows either reading), undefined shows all. */
export function withHistory(task: Task, length: number | undefined): Task {
  if (length === undefined || task.history === undefined) return task;
  const { history, ...rest } = task;
  return length === 0 ? rest : { ...rest, history: history.slice(-length) };
}
