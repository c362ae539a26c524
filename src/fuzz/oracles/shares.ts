import { plural } from '../../kit/index.js';
import type { RequirementKey } from '../../ledger/index.js';
import { brief, isObject, member, type SendReply, type Task, type TaskPage } from '../../model/index.js';
import type { Oracle } from '../oracle.js';
import type { Sent } from '../trace.js';
import { type Asked, accountOf } from './sights.js';
import { demanded, symptomOf } from './symptom.js';

// Who asks for a share of what there is gets no more: of a history (0.3 §7.3.1, 1.0 §3.2.4), of tasks (1.0 §3.1.4). Each
// answer shows it by itself.

interface Excess {
  readonly bucket: string;
  readonly title: string;
  readonly detail: string;
  readonly key: RequirementKey;
}

const longTitle = 'More messages of a history come than were asked for';
const longDetail = (most: number, { history = [], id }: Task): string =>
  `asked for ${plural(most, 'message')}, given ${history.length} of the task ${id}`;

/** What 0 asks for is told by sentences of its own, where it is told (AMB03-06). */
const lengthKeys = {
  get: ['get.history-length', 'get.history-zero-limit'],
  send: ['send.history-length', 'send.history-zero-limit'],
} as const satisfies Readonly<Record<string, readonly [RequirementKey, RequirementKey]>>;

/** `most`: as many messages as were asked for; anything may stand there. */
function longer(operation: 'get' | 'send', most: unknown, task: Task | undefined): Excess | undefined {
  if (!isCount(most) || task?.history === undefined || task.history.length <= most) return undefined;
  const [key, zeroKey] = lengthKeys[operation];
  return {
    bucket: `history-length ${operation}`,
    title: longTitle,
    detail: longDetail(most, task),
    key: most === 0 ? zeroKey : key,
  };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** Artifacts are judged as they came: an empty list is one too. */
const withArtifacts = (wire: unknown): unknown => {
  const tasks: unknown = member(wire, 'tasks');
  return Array.isArray(tasks) ? tasks.find((task) => isObject(task) && Object.hasOwn(task, 'artifacts')) : undefined;
};

function ofPage(sent: Sent, { params }: Asked & { readonly operation: 'list' }): readonly Excess[] {
  const { outcome } = sent.reading;
  if (outcome.kind !== 'result') return [];
  const { tasks } = outcome.value as TaskPage;
  const { contextId, state, pageSize, historyLength, includeArtifacts } = params;
  const found: Excess[] = [];
  const foreign = contextId
    ? tasks.find((one) => one.contextId !== undefined && one.contextId !== contextId)
    : undefined;
  if (foreign !== undefined) {
    found.push({
      bucket: 'list-context',
      title: 'A page holds tasks of another context',
      detail: `asked for the context ${contextId}, given a task in ${foreign.contextId}`,
      key: 'list.context-filter',
    });
  }
  const other =
    state === undefined || state === 'unknown'
      ? undefined
      : tasks.find(({ status }) => status.state !== 'unknown' && status.state !== state);
  if (other !== undefined) {
    found.push({
      bucket: 'list-state',
      title: 'A page holds tasks in another state',
      detail: `asked for ${brief(state)} tasks, given one that is ${other.status.state}`,
      key: 'list.state-filter',
    });
  }
  if (isCount(pageSize) && pageSize >= 1 && tasks.length > pageSize) {
    found.push({
      bucket: 'list-size',
      title: 'A page holds more than was asked for',
      detail: `asked for ${plural(pageSize, 'task')}, given ${tasks.length}`,
      key: 'list.page-limit',
    });
  }
  const long = isCount(historyLength) ? tasks.find(({ history = [] }) => history.length > historyLength) : undefined;
  if (long !== undefined && isCount(historyLength)) {
    found.push({
      bucket: 'history-length list',
      title: longTitle,
      detail: longDetail(historyLength, long),
      key: 'list.history-length',
    });
  }
  const shown = includeArtifacts === true ? undefined : withArtifacts(outcome.wire);
  if (shown !== undefined) {
    found.push({
      bucket: 'list-artifacts',
      title: 'A page shows artifacts that were not asked for',
      detail: `includeArtifacts was ${brief(includeArtifacts ?? 'left out')}, given artifacts of ${brief(member(shown, 'id'))}`,
      key: 'list.artifacts-omitted',
    });
  }
  return found;
}

function excessIn(sent: Sent, asked: Asked): readonly Excess[] {
  if (asked.operation === 'list') return ofPage(sent, asked);
  const task = taskIn(sent);
  if (task === undefined) return [];
  const excess =
    asked.operation === 'get'
      ? longer('get', asked.params.historyLength, task)
      : asked.operation === 'send'
        ? longer('send', asked.params.configuration?.historyLength, task)
        : undefined;
  return excess === undefined ? [] : [excess];
}

function taskIn({ step: { operation }, reading: { outcome } }: Sent): Task | undefined {
  if (outcome.kind !== 'result') return undefined;
  if (operation === 'get') return outcome.value as Task;
  if (operation !== 'send') return undefined;
  const reply = outcome.value as SendReply;
  return reply.type === 'task' ? reply.task : undefined;
}

/** Most answers show nothing that could be too much: then nobody has to read what was asked for. */
const mayExceed = (sent: Sent): boolean =>
  sent.step.operation === 'list'
    ? sent.reading.outcome.kind === 'result'
    : (taskIn(sent)?.history?.length ?? 0) > 0 && Buffer.from(sent.body).includes('istoryLength');

export const shares: Oracle = (trace, court) => {
  const { asked } = accountOf(trace, court.dialect);
  return trace.sent.filter(mayExceed).flatMap((sent) => {
    const wanted = asked(sent);
    if (wanted === undefined) return [];
    return excessIn(sent, wanted).flatMap(({ bucket, title, detail, key }) => {
      const keys = demanded(court, key);
      return keys.length === 0 ? [] : [symptomOf('life-cycle', `life-cycle/${bucket}`, title, sent, keys, detail)];
    });
  });
};
