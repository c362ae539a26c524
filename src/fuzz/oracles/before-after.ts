import { neutralPrompt } from '../../kit/index.js';
import { isObject, isSettled, type Message, type Operation, type Operations } from '../../model/index.js';
import type { CallStep, Case, Step, Value } from '../case/case.js';
import { refsOf } from '../case/values.js';
import type { Sent, Trace } from '../execute/trace.js';
import { callOf, reference } from '../generate/scripting.js';
import { mutationName } from './mutation.js';
import type { OracleContext, Symptom } from './oracle.js';
import { remembered } from './symptom.js';
import { sightsIn } from './task-views.js';

// Sends a refused request again between two looks at what it might have changed: tasks, lists, configurations. Each
// kind of change is looked at once in a campaign, because a look costs several requests.

interface Looks {
  /** By change: whether a look found something. */
  readonly found: Map<string, boolean>;
  /** Looks that were made without waiting for the share, by operation. */
  readonly atOnce: Map<Operation, number>;
  traces: number;
}
const looks = remembered((): Looks => ({ found: new Map(), atOnce: new Map(), traces: 0 }));
const mostLooks = 256;
/** Of all cases, one in so many may be looked at again. */
const share = 6;
/**
 * So many looks of each operation do not wait for that: most requests are sends, and other operations would seldom have
 * a turn.
 */
const mostAtOnce = 4;

/** A plain call in the spelling of the dialect; none where the dialect has no such method. */
function look<Op extends Operation>(
  { dialect }: OracleContext,
  operation: Op,
  params: Operations[Op]['params'],
): readonly CallStep[] {
  const codec = dialect.operations[operation];
  return codec === undefined || codec.url !== undefined ? [] : [callOf({ dialect }, operation, params)];
}

/** The name of the tasks that the looks begin; other cases do not use the name. */
const ours = 'probe';

/** Begins a task with a message id of its own: an agent may take a message once only. */
function begin(oracleContext: OracleContext): readonly Step[] {
  const messageId = `tck-probe-${looks(oracleContext).found.size}`;
  const message: Message = { messageId, role: 'user', parts: [{ kind: 'text', text: neutralPrompt }] };
  const [send] = look(oracleContext, 'send', { message });
  return send === undefined ? [] : [{ ...send, as: ours }];
}

/**
 * The names of the last two tasks that earlier steps began and that were seen settled: others change by themselves. For
 * a cancel, canceled tasks are left out, as they do not show another cancel.
 */
function namesBefore(trace: Trace, { place: [at], step: { operation } }: Sent): readonly string[] {
  const names = trace.case.steps.slice(0, at).flatMap((step) => (step.step === 'call' ? [step.as ?? ''] : []));
  const states = new Map(sightsIn(trace).map(({ task }) => [task.id, task.status.state]));
  const isTelling = (name: string): boolean => {
    const state = states.get(trace.begun.get(name)?.task ?? '') ?? 'unknown';
    return isSettled(state) && (operation !== 'cancel' || state !== 'canceled');
  };
  return names.filter(isTelling).slice(-2);
}

export const reads: ReadonlySet<Operation> = new Set([
  'get',
  'list',
  'subscribe',
  'pushGet',
  'pushList',
  'extendedCard',
]);

/** Whether a step may have brought these tasks into their state: plain reads and concurrent requests are left out. */
const isTold =
  (names: readonly string[]) =>
  (step: Step): boolean => {
    if (step.step !== 'call') return step.step === 'wait' && names.includes(step.for);
    if (reads.has(step.operation) && (step.edits ?? step.tricks) === undefined) return false;
    const named = refsOf(step.params ?? null).map((ref) => ref.slice(0, ref.lastIndexOf('.')));
    return [step.as ?? '', ...named].some((name) => names.includes(name));
  };

/** The request with its defect, about a task that is looked at instead of another one, or in its context. */
function aimed({ step: { as: _, ...step }, demand }: Sent, names: readonly string[]): CallStep {
  const { params } = step;
  if (!isObject(params)) return step;
  const { message } = params as Readonly<Record<string, Value>>;
  if (isObject(message) && message['taskId'] === undefined && message['contextId'] === undefined) {
    // The context of a task that it leaves shows that it is not a task of another user.
    const contextId = { $ref: `${names.at(-1)}.context` };
    return { ...step, params: { ...params, message: { ...message, contextId } } as NonNullable<CallStep['params']> };
  }
  if (demand !== 'invalid-params') return step;
  const isLookedAt = (value: Value): boolean => names.some((name) => refsOf(value).includes(`${name}.task`));
  const members = params as Readonly<Record<string, Value>>;
  const others = ['id', 'taskId'].filter((name) => members[name] !== undefined && !isLookedAt(members[name]));
  const task = Object.fromEntries(others.map((name) => [name, { $ref: `${names.at(-1)}.task` }]));
  return { ...step, params: { ...members, ...task } };
}

function sandwich(trace: Trace, sent: Sent, oracleContext: OracleContext): Case {
  const {
    place: [at],
    step,
  } = sent;
  const begun = namesBefore(trace, sent);
  const names = begun.length > 0 ? begun : [ours];
  const tasks = names.flatMap((name) => look(oracleContext, 'get', { id: reference(`${name}.task`) }));
  const isPush = step.operation === 'pushSet' && oracleContext.target.card.capabilities.push === true;
  const configs = names.flatMap((name) =>
    isPush ? look(oracleContext, 'pushList', { taskId: reference(`${name}.task`) }) : [],
  );
  const list = look(oracleContext, 'list', { pageSize: 5 });
  const asked = aimed(sent, names);
  return {
    dialect: trace.case.dialect,
    steps: [
      ...trace.case.steps.slice(0, at).filter(isTold(begun)),
      ...(begun.length > 0 ? [] : begin(oracleContext)),
      // The last reading of each wait is the look before the request.
      ...names.map((name): Step => ({ step: 'wait', for: name })),
      ...configs,
      ...list,
      asked,
      ...list,
      ...configs,
      ...tasks,
    ],
  };
}

/** The params are certainly wrong, and still name the task. */
const isTelling = ({ demand, step: { edits = [] } }: Sent): boolean =>
  demand === 'invalid-params' && !edits.some(({ at }) => /^\/params(\/(id|taskId))?$/.test(at));

/** A change that may be right has another key than one that must be refused. */
const keyOf = ({ step, demand }: Sent): string =>
  `${step.operation} ${mutationName(step)}${demand === 'open' ? ', which may be right' : ''}`;

function isDue(sent: Sent, { found, atOnce, traces }: Looks): boolean {
  const known = found.get(keyOf(sent));
  if (known !== undefined || found.size >= mostLooks) return known ?? false;
  if (found.size * share < traces) return true;
  const { operation } = sent.step;
  const sofar = atOnce.get(operation) ?? 0;
  if (!isTelling(sent) || sofar >= mostAtOnce) return false;
  atOnce.set(operation, sofar + 1);
  return true;
}

/**
 * The symptoms of the same request between two looks, for the last refused request that is due; none where all were
 * looked at before.
 */
export function probed(
  trace: Trace,
  refused: readonly Sent[],
  oracleContext: OracleContext,
  judge: (trace: Trace, oracleContext: OracleContext) => readonly Symptom[],
): readonly Symptom[] | Promise<readonly Symptom[]> {
  const memory = looks(oracleContext);
  const { found } = memory;
  memory.traces++;
  if (trace.cut !== undefined) return [];
  const sent = refused.findLast((request) => request.place[1] === undefined && isDue(request, memory));
  if (sent === undefined) return [];
  const key = keyOf(sent);
  found.set(key, false);
  const next = sandwich(trace, sent, oracleContext);
  return oracleContext.perform(next).then((other) => {
    const symptoms = judge(other, oracleContext).map((symptom) => ({ ...symptom, case: next }));
    found.set(key, symptoms.length > 0);
    return symptoms;
  });
}
