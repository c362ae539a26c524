import type { SendReply, Task } from '../../model/index.js';
import type { CallStep } from '../case/case.js';
import type { Sent, Trace } from '../execute/trace.js';
import { addressOf, type ConfigStep, configSteps, mayChange } from './configs.js';
import { doesAlone } from './controls.js';
import { hasLegalOrder, type Moment } from './legal-order.js';
import { movesIn } from './life-cycle.js';
import { lostMessage } from './lost-message.js';
import type { Oracle, OracleContext, Symptom } from './oracle.js';
import { saidIn } from './symptom.js';
import { type Account, accountOf, isAccepted, mayTakeEffect, rowsOf, talksTo, taskAsked } from './task-observations.js';

// Judges what concurrent requests did to one task: some order of the requests must explain every answer.

/** Messages are bits of a number; this bit stands for all messages that have no usable id. */
const nameless = 30;
const mostMessages = nameless;

/** Messages sent to a task, numbered by id in order of sending; the message that began the task is not among them. */
interface Talk {
  readonly first: string | undefined;
  readonly numbers: ReadonlyMap<string, number>;
  /** Messages whose outcome is unknown: a timeout, a lost connection. */
  readonly open: ReadonlySet<string>;
}

const replyOf = ({ reading: { outcome } }: Sent): SendReply | undefined =>
  outcome.kind === 'result' ? (outcome.value as SendReply) : undefined;

/** Whether only one request contains the id: if two do, it is unknown whose message a task shows. */
function isSaidOnce(messageId: string, { sent }: Trace): boolean {
  if (messageId === '') return false;
  const text = JSON.stringify(messageId);
  return sent.filter((request) => saidIn(request).includes(text)).length === 1;
}

function talkOf(trace: Trace, task: string, account: Account): Talk {
  const numbers = new Map<string, number>();
  const open = new Set<string>();
  let first: string | undefined;
  for (const sent of trace.sent) {
    const asked = account.asked(sent);
    if (asked?.operation !== 'send' && asked?.operation !== 'stream') continue;
    const { messageId } = asked.params.message;
    if (taskAsked(asked) === task) {
      if (numbers.size < mostMessages && isSaidOnce(messageId, trace)) numbers.set(messageId, numbers.size);
      const { kind } = sent.reading.outcome;
      if (!isAccepted(sent) && kind !== 'refusal') open.add(messageId);
    } else if (
      taskAsked(asked) === undefined &&
      account.sightings.some((sighting) => sighting.sent === sent && sighting.id === task)
    ) {
      first ??= messageId;
    }
  }
  return { first, numbers, open };
}

/** The messages that a task shows, as bits; undefined where it need not show all of them (AMB03-06). */
function messagesIn(task: Task, { first, numbers, open }: Talk): number | undefined {
  const shown = new Set((task.history ?? []).map(({ messageId }) => messageId));
  if (!first || !shown.has(first)) return undefined;
  let bits = 0;
  for (const [messageId, number] of numbers) {
    if (open.has(messageId)) return undefined;
    if (shown.has(messageId)) bits |= 1 << number;
  }
  return bits;
}

interface History {
  readonly moments: readonly Moment[];
  readonly configs: number;
}

/** Everything that was done to a task and seen of it, as moments between sending and answer. */
function historyOf(trace: Trace, task: string, account: Account, { ledger }: OracleContext, alone: boolean): History {
  const talk = talkOf(trace, task, account);
  const moments: Moment[] = [];
  const see = (sent: Sent, shown: Task, after?: number): void => {
    const asked = account.asked(sent);
    const isCut = asked?.operation !== 'get' || asked.params.historyLength !== undefined;
    const messages = isCut ? undefined : messagesIn(shown, talk);
    const what = { type: 'seen', state: shown.status.state, messages } as const;
    moments.push({ from: sent.sentAt, to: sent.endedAt, what, ...(after === undefined ? {} : { after }) });
  };
  const talks = new Set(talksTo(task, account, trace));
  const takesOpen = ledger.row('send.terminal-refused') !== undefined;
  for (const sent of trace.sent) {
    const asked = account.asked(sent);
    const [sighting] = account.byTask.get(task)?.filter((sighting) => sighting.sent === sent && sighting.isNow) ?? [];
    if (asked?.operation === 'send' && taskAsked(asked) === task && isAccepted(sent)) {
      const reply = replyOf(sent);
      if (reply?.type === 'task' && reply.task.id !== task) continue;
      const message = talk.numbers.get(asked.params.message.messageId) ?? nameless;
      const what = { type: 'taken', message, open: takesOpen } as const;
      moments.push({ from: sent.sentAt, to: sent.endedAt, what });
      if (reply?.type === 'task') see(sent, reply.task, moments.length - 1);
      continue;
    }
    // The agent takes a message that opens a stream at some time while the stream is open.
    if (asked?.operation === 'stream' && taskAsked(asked) === task && isAccepted(sent)) {
      const message = talk.numbers.get(asked.params.message.messageId) ?? nameless;
      const what = { type: 'taken', message, open: false } as const;
      moments.push({ from: sent.sentAt, to: sent.endedAt, what });
      continue;
    }
    // A message that the fuzzer changed may have been taken too, by this task or another.
    if (asked === undefined && talks.has(sent) && mayTakeEffect(sent)) {
      moments.push({ from: sent.sentAt, to: sent.endedAt, what: { type: 'taken', message: nameless, open: false } });
    }
    if (sighting?.task !== undefined) see(sent, sighting.task);
  }
  const steps = configSteps(trace, account).get(task) ?? [];
  const ids = mayChange(task, account, trace).length === 0 ? idsOf(steps) : [];
  return {
    moments: [...moments, ...configMoments(steps, ids, alone)],
    configs: ids.length,
  };
}

const idsOf = (steps: readonly ConfigStep[]): readonly string[] => {
  const set = steps.filter(({ kind, accepted }) => kind === 'set' && accepted);
  // A configuration with a change of unknown outcome is not judged.
  const lost = new Set(steps.filter(isUnclear).map(({ id }) => id));
  return [...new Set(set.flatMap(({ id }) => (id === undefined || lost.has(id) ? [] : [id])))];
};
const isUnclear = ({ kind, accepted, sent }: ConfigStep): boolean =>
  (kind === 'set' || kind === 'delete') && !accepted && sent.reading.outcome.kind !== 'refusal';

function configMoments(steps: readonly ConfigStep[], ids: readonly string[], alone: boolean): readonly Moment[] {
  const urls = [...new Set(steps.flatMap(({ configs }) => configs.map(addressOf)))];
  return steps.flatMap((step): readonly Moment[] => {
    const { sent, kind, id, accepted } = step;
    const at = (config: number, value: number): Moment => ({
      from: sent.sentAt,
      to: sent.endedAt,
      what:
        kind === 'set' || kind === 'delete'
          ? { type: 'set', config, value, alone }
          : { type: 'config-seen', config, value },
    });
    const numberOf = (name: string): number => {
      const there = step.configs.find((config) => config.id === name);
      return there === undefined ? 0 : 1 + urls.indexOf(addressOf(there));
    };
    if (kind === 'list')
      return step.configs.some((config) => config.id === undefined)
        ? []
        : ids.map((name, config) => at(config, numberOf(name)));
    const config = id === undefined ? -1 : ids.indexOf(id);
    if (config < 0) return [];
    if (kind === 'read') {
      const [there] = step.configs;
      // A read that shows another configuration shows nothing about the requested one (AMB03-13).
      return there !== undefined && there.id !== id ? [] : [at(config, id === undefined ? 0 : numberOf(id))];
    }
    if (!accepted) return [];
    const [set] = step.configs;
    return [at(config, set === undefined ? 0 : 1 + urls.indexOf(addressOf(set)))];
  });
}

/**
 * Whether a moment is about the task itself. Moments of configurations come last, so that the `after` indices of the
 * others stay valid without them.
 */
const isOfTask = ({ what }: Moment): boolean => what.type === 'seen' || what.type === 'taken';
const silent = (moment: Moment): Moment =>
  moment.what.type === 'seen' ? { ...moment, what: { ...moment.what, messages: undefined } } : moment;

/** What no order can explain: the states of the task, its configurations, or its messages. */
function aspectOf({ moments, configs }: History): 'state' | 'configs' | 'messages' {
  const states = moments.filter(isOfTask).map(silent);
  if (!hasLegalOrder(states, 0)) return 'state';
  return hasLegalOrder(moments.map(silent), configs) ? 'messages' : 'configs';
}

const titles = {
  state: 'No order of the requests explains the states that were answered',
  configs: 'No order of the requests explains the push notification configurations that were answered',
  messages: 'No order of the requests explains the messages that the task shows',
} as const;

/**
 * Whether the agent keeps several configurations that are set one after the other, so that none of them needs to have
 * replaced another.
 */
const keepsSeveral =
  (oracleContext: OracleContext) =>
  (control: Trace): boolean => {
    const account = accountOf(control, oracleContext.dialect);
    return [...account.byTask.keys()].some((task) => {
      const { moments, configs } = historyOf(control, task, account, oracleContext, false);
      return configs > 1 && hasLegalOrder(moments, configs);
    });
  };

async function judge(
  trace: Trace,
  task: string,
  account: Account,
  oracleContext: OracleContext,
): Promise<Symptom | undefined> {
  const history = historyOf(trace, task, account, oracleContext, false);
  if (history.moments.length < 2 || hasLegalOrder(history.moments, history.configs)) return undefined;
  const aspect = aspectOf(history);
  // Where no sentence demands several configurations, the agent may keep only one.
  if (
    aspect === 'configs' &&
    history.configs > 1 &&
    oracleContext.ledger.row('push.several-configs')?.level !== 'must'
  ) {
    const { moments, configs } = historyOf(trace, task, account, oracleContext, true);
    const isOfConfigs = ({ operation }: CallStep): boolean => operation.startsWith('push') || operation === 'get';
    const mayDrop = hasLegalOrder(moments, configs);
    if (mayDrop && !(await doesAlone(trace, oracleContext, 'configs', isOfConfigs, keepsSeveral(oracleContext))))
      return undefined;
  }
  // Contradictions between two sightings are reported by `movesIn`.
  if (aspect === 'state' && movesIn(trace, oracleContext).length > 0) return undefined;
  const lines = trace.sent
    .filter((sent) => taskAsked(account.asked(sent)) === task)
    .map(
      (sent) => `${sent.step.operation} [${sent.sentAt}-${sent.endedAt}] ${isAccepted(sent) ? 'accepted' : 'refused'}`,
    );
  const keys = {
    state: rowsOf(oracleContext.ledger, 'life.terminal-final'),
    configs: rowsOf(oracleContext.ledger, 'push.config-kept', 'push.deleted-gone'),
    messages: [],
  };
  return {
    oracle: 'history',
    bucket: `history/${aspect}`,
    title: titles[aspect],
    detail: `the task ${task}: ${lines.slice(0, 16).join('; ')}`,
    keys: keys[aspect],
  };
}

/** Judges concurrent requests together with everything before and after them. */
export const histories: Oracle = async (trace, oracleContext) => {
  if (!trace.case.steps.some(({ step }) => step === 'together')) return [];
  const account = accountOf(trace, oracleContext.dialect);
  const found: Symptom[] = [];
  for (const task of account.byTask.keys()) {
    const symptom = await judge(trace, task, account, oracleContext);
    if (symptom !== undefined) found.push(symptom);
  }
  const lost = await lostMessage(trace, oracleContext);
  if (lost !== undefined) found.push(lost);
  return found;
};
