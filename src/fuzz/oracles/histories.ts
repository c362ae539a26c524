import type { SendReply, Task } from '../../model/index.js';
import type { CallStep } from '../case.js';
import type { Court, Oracle, Symptom } from '../oracle.js';
import type { Sent, Trace } from '../trace.js';
import { addressOf, type ConfigStep, configSteps, mayChange } from './configs.js';
import { doesAlone } from './controls.js';
import { hasLegalOrder, type Moment } from './legal-order.js';
import { movesIn } from './life-cycle.js';
import { lostMessage } from './lost-message.js';
import { type Account, accountOf, isAccepted, mayTakeEffect, rowsOf, talksTo, taskAsked } from './sights.js';
import { saidIn } from './symptom.js';

// What several requests at once did to one task: whether some order of them explains all that was answered.

/** Bits of a number; the last one stands for all that have no name to be found by. */
const nameless = 30;
const mostMessages = nameless;

/** Messages that went to a task, by their ids, in order of sending; the one that began it is not among them. */
interface Talk {
  readonly first: string | undefined;
  readonly numbers: ReadonlyMap<string, number>;
  /** What came of them is not known: a timeout, a lost connection. */
  readonly open: ReadonlySet<string>;
}

const replyOf = ({ reading: { outcome } }: Sent): SendReply | undefined =>
  outcome.kind === 'result' ? (outcome.value as SendReply) : undefined;

/** Where two requests have it, nobody knows which of them a task shows. */
function isSaidOnce(messageId: string, { sent }: Trace): boolean {
  if (messageId === '') return false;
  const text = JSON.stringify(messageId);
  return sent.filter((one) => saidIn(one).includes(text)).length === 1;
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
      account.sightings.some((one) => one.sent === sent && one.id === task)
    ) {
      first ??= messageId;
    }
  }
  return { first, numbers, open };
}

/** Which messages a task shows; undefined where it need not show all of them (AMB03-06). */
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
function historyOf(trace: Trace, task: string, account: Account, { ledger }: Court, alone: boolean): History {
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
    const [sighting] = account.byTask.get(task)?.filter((one) => one.sent === sent && one.isNow) ?? [];
    if (asked?.operation === 'send' && taskAsked(asked) === task && isAccepted(sent)) {
      const reply = replyOf(sent);
      if (reply?.type === 'task' && reply.task.id !== task) continue;
      const message = talk.numbers.get(asked.params.message.messageId) ?? nameless;
      const what = { type: 'taken', message, open: takesOpen } as const;
      moments.push({ from: sent.sentAt, to: sent.endedAt, what });
      if (reply?.type === 'task') see(sent, reply.task, moments.length - 1);
      continue;
    }
    // A message that opens a stream is taken some time while the stream is there.
    if (asked?.operation === 'stream' && taskAsked(asked) === task && isAccepted(sent)) {
      const message = talk.numbers.get(asked.params.message.messageId) ?? nameless;
      const what = { type: 'taken', message, open: false } as const;
      moments.push({ from: sent.sentAt, to: sent.endedAt, what });
      continue;
    }
    // One that the fuzzer changed may have been taken all the same, by this task or another.
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
  // Of one whose fate is not known nothing can be said.
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
      const there = step.configs.find((one) => one.id === name);
      return there === undefined ? 0 : 1 + urls.indexOf(addressOf(there));
    };
    if (kind === 'list')
      return step.configs.some((one) => one.id === undefined)
        ? []
        : ids.map((name, config) => at(config, numberOf(name)));
    const config = id === undefined ? -1 : ids.indexOf(id);
    if (config < 0) return [];
    if (kind === 'read') {
      const [there] = step.configs;
      // Another one than was asked for says nothing of this one (AMB03-13).
      return there !== undefined && there.id !== id ? [] : [at(config, id === undefined ? 0 : numberOf(id))];
    }
    if (!accepted) return [];
    const [set] = step.configs;
    return [at(config, set === undefined ? 0 : 1 + urls.indexOf(addressOf(set)))];
  });
}

/** Moments of configurations stand behind all others, so that what is left names its forerunners by the same numbers. */
const isOfTask = ({ what }: Moment): boolean => what.type === 'seen' || what.type === 'taken';
const silent = (moment: Moment): Moment =>
  moment.what.type === 'seen' ? { ...moment, what: { ...moment.what, messages: undefined } } : moment;

/** What makes it impossible: the moves of the task, its configurations, or its messages. */
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

/** One by one the agent kept several configurations, so that none of them needs to have driven out another. */
const keepsSeveral =
  (court: Court) =>
  (control: Trace): boolean => {
    const account = accountOf(control, court.dialect);
    return [...account.byTask.keys()].some((task) => {
      const { moments, configs } = historyOf(control, task, account, court, false);
      return configs > 1 && hasLegalOrder(moments, configs);
    });
  };

async function judge(trace: Trace, task: string, account: Account, court: Court): Promise<Symptom | undefined> {
  const history = historyOf(trace, task, account, court, false);
  if (history.moments.length < 2 || hasLegalOrder(history.moments, history.configs)) return undefined;
  const aspect = aspectOf(history);
  // Whether there may be several is for the agent to decide where no sentence demands it.
  if (aspect === 'configs' && history.configs > 1 && court.ledger.row('push.several-configs')?.level !== 'must') {
    const { moments, configs } = historyOf(trace, task, account, court, true);
    const isOfConfigs = ({ operation }: CallStep): boolean => operation.startsWith('push') || operation === 'get';
    const mayDrop = hasLegalOrder(moments, configs);
    if (mayDrop && !(await doesAlone(trace, court, 'configs', isOfConfigs, keepsSeveral(court)))) return undefined;
  }
  // Two sights that contradict each other were judged by themselves.
  if (aspect === 'state' && movesIn(trace, court).length > 0) return undefined;
  const lines = trace.sent
    .filter((sent) => taskAsked(account.asked(sent)) === task)
    .map(
      (sent) => `${sent.step.operation} [${sent.sentAt}-${sent.endedAt}] ${isAccepted(sent) ? 'accepted' : 'refused'}`,
    );
  const keys = {
    state: rowsOf(court.ledger, 'life.terminal-final'),
    configs: rowsOf(court.ledger, 'push.config-kept', 'push.deleted-gone'),
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

/** Requests that were under way at once, over the whole of what came before and after them. */
export const histories: Oracle = async (trace, court) => {
  if (!trace.case.steps.some(({ step }) => step === 'together')) return [];
  const account = accountOf(trace, court.dialect);
  const found: Symptom[] = [];
  for (const task of account.byTask.keys()) {
    const symptom = await judge(trace, task, account, court);
    if (symptom !== undefined) found.push(symptom);
  }
  const lost = await lostMessage(trace, court);
  if (lost !== undefined) found.push(lost);
  return found;
};
