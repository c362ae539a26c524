import { neutralPrompt, plural } from '../../kit/index.js';
import type { RequirementKey } from '../../ledger/index.js';
import {
  brief,
  isObject,
  isString,
  type Message,
  member,
  type SendReply,
  type Task,
  type TaskPage,
} from '../../model/index.js';
import type { Case, Step } from '../case/case.js';
import type { Sent, Trace } from '../execute/trace.js';
import { callOf } from '../generate/scripting.js';
import type { Oracle, OracleContext, Symptom } from './oracle.js';
import { demanded, remembered, saidIn, symptomOf } from './symptom.js';
import { type Asked, accountOf } from './task-observations.js';

// A client that asks for a part gets no more than that: of a history (0.3 §7.3.1, 1.0 §3.2.4), of tasks (1.0 §3.1.4).
// Each answer shows it by itself.

interface Excess {
  readonly bucket: string;
  readonly title: string;
  readonly detail: string;
  readonly key: RequirementKey;
  /** The tasks of a page that show it. */
  readonly tasks?: readonly unknown[];
}

const longTitle = (operation: string): string => `${operation} shows more messages of a history than were asked for`;
const longDetail = (most: number, { history = [], id }: Task): string =>
  `asked for ${plural(most, 'message')}, given ${history.length} of the task ${id}`;

/** A history length of 0 has sentences of its own, where a version defines it (AMB03-06). */
const lengthKeys = {
  get: ['get.history-length', 'get.history-zero-limit'],
  send: ['send.history-length', 'send.history-zero-limit'],
} as const satisfies Readonly<Record<string, readonly [RequirementKey, RequirementKey]>>;

/** `most`: the number of messages that was asked for; it may be any value. */
function longer(operation: 'get' | 'send', most: unknown, task: Task | undefined): Excess | undefined {
  if (!isCount(most) || task?.history === undefined || task.history.length <= most) return undefined;
  const [key, zeroKey] = lengthKeys[operation];
  return {
    bucket: `history-length ${operation}`,
    title: longTitle(operation),
    detail: longDetail(most, task),
    key: most === 0 ? zeroKey : key,
  };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

/** The tasks with artifacts, as they were sent: an empty list counts, too. */
const withArtifacts = (wire: unknown): readonly unknown[] => {
  const tasks: unknown = member(wire, 'tasks');
  return Array.isArray(tasks) ? tasks.filter((task) => isObject(task) && Object.hasOwn(task, 'artifacts')) : [];
};

function ofPage({ reading: { outcome } }: Sent, { params }: Asked & { readonly operation: 'list' }): readonly Excess[] {
  if (outcome.kind !== 'result') return [];
  const { tasks } = outcome.value as TaskPage;
  const { contextId, state, pageSize, historyLength, includeArtifacts } = params;
  const found: Excess[] = [];
  const foreign = contextId ? tasks.filter((task) => task.contextId !== undefined && task.contextId !== contextId) : [];
  if (foreign[0] !== undefined) {
    found.push({
      bucket: 'list-context',
      title: 'A page holds tasks of another context',
      detail: `asked for the context ${contextId}, given a task in ${foreign[0].contextId}`,
      key: 'list.context-filter',
      tasks: foreign,
    });
  }
  const filters = state !== undefined && state !== 'unknown';
  const others = filters ? tasks.filter(({ status: { state: own } }) => own !== 'unknown' && own !== state) : [];
  if (others[0] !== undefined) {
    found.push({
      bucket: 'list-state',
      title: 'A page holds tasks in another state',
      detail: `asked for ${brief(state)} tasks, given one that is ${others[0].status.state}`,
      key: 'list.state-filter',
      tasks: others,
    });
  }
  if (isCount(pageSize) && pageSize >= 1 && tasks.length > pageSize) {
    found.push({
      bucket: 'list-size',
      title: 'A page holds more than was asked for',
      detail: `asked for ${plural(pageSize, 'task')}, given ${tasks.length}`,
      key: 'list.page-limit',
      tasks: tasks.slice(pageSize),
    });
  }
  const long = isCount(historyLength) ? tasks.filter(({ history = [] }) => history.length > historyLength) : [];
  if (long[0] !== undefined) {
    found.push({
      bucket: 'history-length list',
      title: longTitle('list'),
      detail: longDetail(Number(historyLength), long[0]),
      key: 'list.history-length',
      tasks: long,
    });
  }
  const shown = includeArtifacts === true ? [] : withArtifacts(outcome.wire);
  if (shown[0] !== undefined) {
    found.push({
      bucket: 'list-artifacts',
      title: 'A page shows artifacts that were not asked for',
      detail: `includeArtifacts was ${includeArtifacts ?? 'left out'}, given artifacts of ${brief(member(shown[0], 'id'))}`,
      key: 'list.artifacts-omitted',
      tasks: shown,
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

/** Most answers cannot show too much: then the request need not be read. */
const mayExceed = (sent: Sent): boolean =>
  sent.step.operation === 'list'
    ? sent.reading.outcome.kind === 'result'
    : (taskIn(sent)?.history?.length ?? 0) > 0 && saidIn(sent).includes('istoryLength');

interface Seen {
  readonly symptom: Symptom;
  /** A task of the case itself shows it, so the case does not depend on earlier tasks. */
  readonly alone: boolean;
}

function seenIn(trace: Trace, oracleContext: OracleContext): readonly Seen[] {
  const telling = trace.sent.filter(mayExceed);
  if (telling.length === 0) return [];
  const { asked, byTask } = accountOf(trace, oracleContext.dialect);
  const isOwn = (task: unknown): boolean => {
    const id: unknown = member(task, 'id');
    return isString(id) && (byTask.get(id) ?? []).some(({ operation }) => operation !== 'list');
  };
  return telling.flatMap((sent) => {
    const wanted = asked(sent);
    if (wanted === undefined) return [];
    return excessIn(sent, wanted).flatMap(({ bucket, title, detail, key, tasks }): readonly Seen[] => {
      const keys = demanded(oracleContext, key);
      if (keys.length === 0) return [];
      const symptom = symptomOf('life-cycle', `life-cycle/${bucket}`, title, sent, keys, detail);
      return [{ symptom, alone: tasks === undefined || tasks.some(isOwn) }];
    });
  });
}

/** Two tasks that end, and the same listing after them. */
function withTasks({ symptom: { sent } }: Seen, { dialect }: OracleContext, count: number): Case | undefined {
  if (sent === undefined || dialect.operations.send === undefined) return undefined;
  const { as: _, ...list } = sent.step;
  if (JSON.stringify(list).includes('$ref')) return undefined;
  const begun = ['a', 'b'].flatMap((name): readonly Step[] => {
    const message: Message = {
      messageId: `tck-listed-${name}-${count}`,
      role: 'user',
      parts: [{ kind: 'text', text: neutralPrompt }],
    };
    return [callOf({ dialect }, 'send', { message }, { as: name }), { step: 'wait', for: name }];
  });
  return { dialect: dialect.id, steps: [...begun, list] };
}

/** Listings that were repeated with tasks of their own, and how often they showed nothing, by bucket. */
const triesOf = remembered(() => ({ count: 0, vain: new Map<string, number>() }));
const mostVain = 2;

/**
 * Where only foreign tasks show a symptom, the listing is repeated with tasks of its own: then the case shows it
 * wherever it is run.
 */
async function withOwn(all: readonly Seen[], oracleContext: OracleContext): Promise<readonly Symptom[]> {
  const tries = triesOf(oracleContext);
  const again = new Map<Sent | undefined, { readonly case: Case; readonly seen: readonly Seen[] }>();
  const found: Symptom[] = [];
  // One after the other: only the campaign decides how many requests run at once.
  for (const item of all) {
    const { symptom, alone } = item;
    const { sent, bucket } = symptom;
    const vain = tries.vain.get(bucket) ?? 0;
    const isSought = !alone && vain < mostVain;
    if (isSought && !again.has(sent)) {
      const next = withTasks(item, oracleContext, tries.count++);
      if (next !== undefined)
        again.set(sent, { case: next, seen: seenIn(await oracleContext.perform(next), oracleContext) });
    }
    const other = isSought ? again.get(sent) : undefined;
    const shows = other?.seen.some((it) => it.alone && it.symptom.bucket === bucket) === true;
    if (other !== undefined && !shows) tries.vain.set(bucket, vain + 1);
    found.push(other !== undefined && shows ? { ...symptom, case: other.case } : symptom);
  }
  return found;
}

export const queries: Oracle = (trace, oracleContext) => {
  const seen = seenIn(trace, oracleContext);
  return seen.every(({ alone }) => alone) ? seen.map(({ symptom }) => symptom) : withOwn(seen, oracleContext);
};
