import {
  canParseUrl,
  isString,
  member,
  type Operation,
  type PushConfig,
  type TaskPushConfig,
} from '../../model/index.js';
import { type CallStep, withCalls } from '../case/case.js';
import type { Sent, Trace } from '../execute/trace.js';
import { doesAlone } from './controls.js';
import type { Oracle, OracleContext, Symptom } from './oracle.js';
import {
  type Account,
  accountOf,
  isAccepted,
  isBefore,
  isOpenAfter,
  mayTakeEffect,
  rowsOf,
  taskAsked,
} from './task-observations.js';

// Push notification configurations, one after the other: a configuration that was set is there until it is deleted, and
// gone then (0.3 §7.5-§7.8, 1.0 §3.1.7-§3.1.10). The search for a legal order judges requests that overlap.

/** What a request did to a configuration, or showed of it. */
export interface ConfigStep {
  readonly sent: Sent;
  readonly task: string;
  readonly kind: 'set' | 'delete' | 'read' | 'list';
  /** undefined for a list. */
  readonly id: string | undefined;
  /** For a set: the configuration that was sent. For a read: what came, empty where there is none. For a list: all. */
  readonly configs: readonly PushConfig[];
  /** False: it was refused. A refused set or deletion changes nothing, a refused read shows that there is none. */
  readonly accepted: boolean;
}

/** The address of a configuration, without differences of spelling. */
export function addressOf({ url }: PushConfig): string {
  return canParseUrl(url) ? new URL(url).href : url;
}

const single = (sent: Sent): readonly PushConfig[] =>
  sent.reading.outcome.kind === 'result' ? [(sent.reading.outcome.value as TaskPushConfig).config] : [];

/** Whether the answer shows anything: limits, credentials and broken answers do not. */
const says = ({ reading: { outcome } }: Sent): boolean =>
  outcome.kind === 'result' || (outcome.kind === 'refusal' && outcome.inForm);

function stepOf(sent: Sent, account: Account): ConfigStep | undefined {
  const asked = account.asked(sent);
  if (asked === undefined) return undefined;
  const accepted = isAccepted(sent);
  const make = (
    task: string,
    kind: ConfigStep['kind'],
    id: string | undefined,
    configs: readonly PushConfig[],
  ): ConfigStep => ({
    sent,
    task,
    kind,
    id,
    configs,
    accepted,
  });
  switch (asked.operation) {
    case 'pushSet': {
      const { taskId, config } = asked.params;
      const [kept] = single(sent);
      return make(taskId, 'set', kept?.id || config.id, [config]);
    }
    case 'pushDelete':
      return make(asked.params.taskId, 'delete', asked.params.configId, []);
    case 'pushGet':
      return says(sent) ? make(asked.params.taskId, 'read', asked.params.configId, single(sent)) : undefined;
    case 'pushList': {
      const { outcome } = sent.reading;
      // One page of several does not show what is missing.
      if (
        outcome.kind !== 'result' ||
        (isString(member(outcome.wire, 'nextPageToken')) && member(outcome.wire, 'nextPageToken') !== '')
      ) {
        return undefined;
      }
      const all = outcome.value as readonly TaskPushConfig[];
      return make(
        asked.params.taskId,
        'list',
        undefined,
        all.map(({ config }) => config),
      );
    }
    default:
      return undefined;
  }
}

/** All requests about configurations, by task. */
export function configSteps(trace: Trace, account: Account): ReadonlyMap<string, readonly ConfigStep[]> {
  const found = new Map<string, ConfigStep[]>();
  for (const sent of trace.sent) {
    if (!sent.step.operation.startsWith('push')) continue;
    const step = stepOf(sent, account);
    if (step === undefined) continue;
    const same = found.get(step.task);
    if (same === undefined) found.set(step.task, [step]);
    else same.push(step);
  }
  return found;
}

/**
 * Other requests that may have changed the configurations of a task: a message may bring one along, a request that the
 * fuzzer changed may count or not, and an agent may keep the newest one only.
 */
export const mayChange = (task: string, account: Account, { sent: all }: Trace): readonly Sent[] =>
  all.filter((sent) => {
    const { operation } = sent.step;
    if (!changing.has(operation) || !mayTakeEffect(sent)) return false;
    const asked = account.asked(sent);
    if (asked === undefined) return true;
    if (asked.operation !== 'send' && asked.operation !== 'stream') return false;
    return asked.params.configuration?.push !== undefined && [undefined, task].includes(taskAsked(asked));
  });
const changing: ReadonlySet<Operation> = new Set(['send', 'stream', 'pushSet', 'pushDelete']);

/**
 * The last change before a look, where it was accepted and is of this configuration; undefined otherwise, and where
 * changes overlap.
 */
function lastChange(look: ConfigStep, id: string, steps: readonly ConfigStep[]): ConfigStep | undefined {
  const changes = steps.filter((step) => (step.kind === 'set' || step.kind === 'delete') && step !== look);
  const before = changes.filter((change) => !isBefore(look.sent, change.sent));
  const last = before.at(-1);
  if (last === undefined || !before.every((configStep) => configStep === last || isBefore(configStep.sent, last.sent)))
    return undefined;
  // An agent may keep one configuration only: nothing but the last change of all is certain.
  return isBefore(last.sent, look.sent) && last.id === id && last.accepted ? last : undefined;
}

function judge(
  look: ConfigStep,
  steps: readonly ConfigStep[],
  account: Account,
  trace: Trace,
  { ledger }: OracleContext,
): Symptom | undefined {
  const ids =
    look.kind === 'list'
      ? new Set(steps.flatMap(({ id }) => id ?? []))
      : new Set(look.id === undefined ? [] : [look.id]);
  const unclear = mayChange(look.task, account, trace);
  for (const id of ids) {
    const last = lastChange(look, id, steps);
    if (last === undefined || unclear.some((request) => !isBefore(request, last.sent))) continue;
    const there = look.configs.find((config) => config.id === id);
    const base = { oracle: 'life-cycle', sent: look.sent };
    const op = look.sent.step.operation;
    if (last.kind === 'delete' && there !== undefined) {
      return {
        ...base,
        bucket: `life-cycle/config-survives ${op}`,
        cause: 'life-cycle/config-survives',
        title: 'A push notification configuration is still there after it was deleted',
        detail: `${op} shows the configuration ${id} of the task ${look.task}`,
        keys: rowsOf(ledger, 'push.deleted-gone'),
      };
    }
    if (last.kind !== 'set' || !isOpenAfter(look.task, look.sent, account)) continue;
    const [set] = last.configs;
    // Where configurations have no ids (0.2) it is unknown which one this is.
    if (there === undefined && look.configs.every((config) => config.id !== undefined)) {
      return {
        ...base,
        bucket: `life-cycle/config-lost ${op}`,
        cause: 'life-cycle/config-lost',
        title: 'A push notification configuration that was set is not there',
        detail: `${op} does not show the configuration ${id} of the task ${look.task}, which is open`,
        keys: rowsOf(ledger, 'push.config-kept', 'push.config-persists'),
      };
    }
    if (there !== undefined && set !== undefined && addressOf(there) !== addressOf(set)) {
      return {
        ...base,
        bucket: `life-cycle/config-other ${op}`,
        cause: 'life-cycle/config-other',
        title: 'A push notification configuration is not the one that was set',
        detail: `${id} was set with ${set.url}, and ${op} shows ${there.url}`,
        keys: rowsOf(ledger, 'push.config-kept'),
      };
    }
  }
  return undefined;
}

/** A configuration that is missing, and the deletions of others since it was set. */
interface Gone {
  readonly id: string;
  readonly set: ConfigStep;
  readonly deletions: readonly ConfigStep[];
}

/** Refused, and not with an internal error. */
const isPlainlyRefused = ({ sent }: ConfigStep): boolean =>
  sent.reading.outcome.kind === 'refusal' && !mayTakeEffect(sent);

function goneWithAnother(
  look: ConfigStep,
  steps: readonly ConfigStep[],
  account: Account,
  trace: Trace,
): Gone | undefined {
  if (look.kind === 'list' ? look.configs.some(({ id }) => id === undefined) : !isPlainlyRefused(look))
    return undefined;
  if (!isOpenAfter(look.task, look.sent, account)) return undefined;
  const changes = steps.filter(({ kind, sent }) => (kind === 'set' || kind === 'delete') && !isBefore(look.sent, sent));
  const unclear = mayChange(look.task, account, trace);
  const ids = look.kind === 'list' ? changes.map(({ id }) => id) : [look.id];
  for (const id of new Set(ids)) {
    const set = changes.findLast((change) => change.id === id);
    if (id === undefined || set?.kind !== 'set' || !set.accepted) continue;
    if (look.configs.some((config) => config.id === id) || unclear.some((request) => !isBefore(request, set.sent)))
      continue;
    const later = changes.filter((change) => change !== set && !isBefore(change.sent, set.sent));
    const isClear = later.every(
      (configStep) =>
        configStep.id !== undefined &&
        (configStep.accepted || isPlainlyRefused(configStep)) &&
        isBefore(set.sent, configStep.sent) &&
        isBefore(configStep.sent, look.sent),
    );
    const deletions = later.filter(({ kind, accepted }) => kind === 'delete' && accepted);
    if (isClear && deletions.length > 0) return { id, set, deletions };
  }
  return undefined;
}

/**
 * The control reads the deleted configurations instead of deleting them. Whether it shows one of them, and afterwards
 * the missing one under another address; undefined: the task ended meanwhile.
 */
function showsBoth(
  control: Trace,
  look: ConfigStep,
  { set, deletions }: Gone,
  { dialect }: OracleContext,
): boolean | undefined {
  const account = accountOf(control, dialect);
  const instead = new Set(deletions.map(({ id }) => id));
  let isOver = false;
  for (const [task, steps] of configSteps(control, account)) {
    const id = steps.findLast(({ sent }) => sent.step === set.sent.step)?.id;
    const last = steps.findLast(({ sent }) => sent.step === look.sent.step);
    if (id === undefined || last === undefined) continue;
    const own = last.configs.find((config) => config.id === id);
    const isOther = (config: PushConfig): boolean => own !== undefined && addressOf(config) !== addressOf(own);
    const isRead = (configStep: ConfigStep): boolean =>
      configStep.kind === 'read' &&
      configStep !== last &&
      isBefore(configStep.sent, last.sent) &&
      instead.has(configStep.id);
    const isShown = steps.some((step) => isRead(step) && step.configs.some((it) => it.id === step.id && isOther(it)));
    if (isShown) return true;
    if (own === undefined && !isOpenAfter(task, last.sent, account)) isOver = true;
  }
  return isOver ? undefined : false;
}

/** The agent decides how many configurations it keeps: it is held to those that it keeps where nothing is deleted. */
async function judgeGone(
  look: ConfigStep,
  gone: Gone,
  trace: Trace,
  oracleContext: OracleContext,
): Promise<Symptom | undefined> {
  const deleting = new Set(gone.deletions.map(({ sent }) => sent.step));
  // Both operations name a configuration in the same way.
  const asRead = (call: CallStep): CallStep => (deleting.has(call) ? { ...call, operation: 'pushGet' } : call);
  const read = { ...trace, case: withCalls(trace.case, asRead) };
  const both = (control: Trace): boolean | undefined => showsBoth(control, look, gone, oracleContext);
  if (!(await doesAlone(read, oracleContext, 'deleted-with-another', () => true, both))) return undefined;
  const op = look.sent.step.operation;
  const others = [...new Set(gone.deletions.map(({ id }) => id))].join(', ');
  return {
    oracle: 'life-cycle',
    bucket: `life-cycle/config-deleted-with-another ${op}`,
    cause: 'life-cycle/config-deleted-with-another',
    title: 'A push notification configuration is gone after another one was deleted',
    detail: `${op} does not show the configuration ${gone.id} of the task ${look.task}, of which only ${others} was deleted`,
    keys: rowsOf(oracleContext.ledger, 'push.config-kept', 'push.config-persists'),
    sent: look.sent,
  };
}

async function judgeAllGone(
  suspects: readonly { readonly look: ConfigStep; readonly gone: Gone }[],
  trace: Trace,
  oracleContext: OracleContext,
): Promise<readonly Symptom[]> {
  for (const { look, gone } of suspects) {
    const symptom = await judgeGone(look, gone, trace, oracleContext);
    if (symptom !== undefined) return [symptom];
  }
  return [];
}

/** At most so many steps are compared; a case has few. */
const mostSteps = 64;

export const configs: Oracle = (trace, oracleContext) => {
  if (trace.sent.length < 2 || !trace.sent.some(({ step }) => step.operation === 'pushSet')) return [];
  const account = accountOf(trace, oracleContext.dialect);
  const found: Symptom[] = [];
  const suspects: { readonly look: ConfigStep; readonly gone: Gone }[] = [];
  for (const all of configSteps(trace, account).values()) {
    const steps = all.slice(0, mostSteps);
    for (const look of steps) {
      if (look.kind !== 'read' && look.kind !== 'list') continue;
      const symptom = judge(look, steps, account, trace, oracleContext);
      if (symptom !== undefined) found.push(symptom);
      const gone = goneWithAnother(look, steps, account, trace);
      if (gone !== undefined) suspects.push({ look, gone });
    }
  }
  // A configuration that is lost or different by itself says nothing about deletions.
  return found.length > 0 || suspects.length === 0 ? found : judgeAllGone(suspects, trace, oracleContext);
};
