import type { Goal } from '../../kit/index.js';
import type { Operation } from '../../model/index.js';
import type { CallStep, Case, Step } from '../case/case.js';
import type { RandomSource } from './random-source.js';
import {
  answerTo,
  type Beginning,
  beginnings,
  callOf,
  promptOf,
  quickly,
  reference,
  type ScriptTools,
} from './scripting.js';

/** An exhaustive search for a legal order cannot take more. */
const mostAtOnce = 12;

const task = reference('a.task');

type Entry = Exclude<Operation, 'extendedCard'>;

/** The operations of a race; with all operations in one race, too few would meet. */
const themes: readonly (readonly Entry[])[] = [
  ['get', 'send', 'send', 'send'],
  ['get', 'cancel', 'cancel', 'send'],
  ['get', 'cancel', 'stream', 'send', 'list'],
  ['subscribe', 'subscribe', 'send', 'cancel', 'get'],
  ['pushSet', 'pushSet', 'pushSet', 'pushGet', 'pushList', 'pushDelete'],
  ['get', 'send', 'cancel', 'subscribe', 'stream', 'pushSet', 'pushGet', 'pushDelete', 'list'],
];

/** One operation on the task of the race; undefined: the agent lacks the operation that was drawn. */
function entrant(randomSource: RandomSource, tools: ScriptTools, theme: readonly Entry[]): CallStep | undefined {
  const operation = randomSource.pick(theme);
  if (!tools.operations.includes(operation)) return undefined;
  const config = `race-${randomSource.below(2)}`;
  switch (operation) {
    case 'get':
      return callOf(tools, 'get', { id: task });
    case 'send':
      return callOf(tools, 'send', { message: answerTo(randomSource, task), configuration: quickly(tools) });
    case 'stream':
      return callOf(tools, 'stream', { message: answerTo(randomSource, task), configuration: quickly(tools) });
    case 'cancel':
      return callOf(tools, 'cancel', { id: task });
    case 'subscribe':
      return callOf(tools, 'subscribe', { id: task });
    case 'list':
      return callOf(tools, 'list', { contextId: reference('a.context') });
    case 'pushSet':
      return callOf(tools, 'pushSet', {
        taskId: task,
        config: { id: config, url: `${tools.webhook}/${config}/${randomSource.below(1000)}` },
      });
    case 'pushGet':
      return callOf(tools, 'pushGet', { taskId: task, configId: config });
    case 'pushDelete':
      return callOf(tools, 'pushDelete', { taskId: task, configId: config });
    case 'pushList':
      return callOf(tools, 'pushList', { taskId: task });
  }
}

const starts: readonly Beginning[] = beginnings.filter(({ leads }) => leads !== 'none');

const streamShare = 0.15;
const streamGoals: readonly Goal[] = ['long-running', 'long-running', 'streamed-chunks', 'completed', 'input-required'];

/** Streams of several tasks at once: no stream may show another's task. */
function streams(randomSource: RandomSource, tools: ScriptTools): Case {
  const steps: Step[] = [];
  const calls: CallStep[] = [];
  const looks: CallStep[] = [];
  for (const name of randomSource.chance(0.7) ? ['a', 'b'] : ['a', 'b', 'c']) {
    const asked = {
      message: promptOf(randomSource, randomSource.pick(streamGoals), tools),
      configuration: quickly(tools),
    };
    if (!tools.operations.includes('subscribe') || randomSource.chance(0.5)) {
      calls.push(callOf(tools, 'stream', asked, { as: name }));
    } else {
      steps.push(callOf(tools, 'send', asked, { as: name }));
      calls.push(callOf(tools, 'subscribe', { id: reference(`${name}.task`) }));
    }
    looks.push(callOf(tools, 'get', { id: reference(`${name}.task`) }));
  }
  return { dialect: tools.dialect.id, steps: [...steps, { step: 'together', calls }, ...looks] };
}

/**
 * Up to 12 operations on one task at once, with the steps that bring it there, and one or two reads afterwards; or
 * streams of several tasks.
 */
export function race(randomSource: RandomSource, tools: ScriptTools): Case {
  if (tools.operations.includes('stream') && randomSource.chance(streamShare)) return streams(randomSource, tools);
  const theme = randomSource.pick(
    themes.filter((theme) => theme.some((operation) => tools.operations.includes(operation))),
  );
  // A task that has ended may forget its configurations.
  const isOfConfigs = theme.includes('pushList');
  const start = randomSource.pick(isOfConfigs ? starts.filter(({ leads }) => leads !== 'over') : starts);
  const begins = callOf(
    tools,
    'send',
    { message: promptOf(randomSource, start.goal, tools), configuration: quickly(tools) },
    { as: 'a' },
  );
  const steps: Step[] = [begins];
  const isLong = start.goal === 'long-running';
  // Calls may also race against the agent's own work: then nothing is waited for.
  if (start.settles && !isLong && randomSource.chance(start.leads === 'waiting' ? 0.9 : 0.4))
    steps.push({ step: 'wait', for: 'a' });
  const calls: CallStep[] = [];
  const size = 2 + randomSource.below(randomSource.chance(0.3) ? mostAtOnce - 1 : 5);
  // Every throw may give nothing; then `get`, which every agent has, fills the race.
  for (let throws = 0; calls.length < size && throws < 4 * size; throws++) {
    const callStep = entrant(randomSource, tools, theme);
    if (callStep !== undefined) calls.push(callStep);
  }
  // Subscribers that come first hear all events.
  if (randomSource.chance(0.5))
    calls.sort((a, b) => Number(b.operation === 'subscribe') - Number(a.operation === 'subscribe'));
  while (calls.length < 2) calls.push(callOf(tools, 'get', { id: task }));
  steps.push({ step: 'together', calls });
  const isCanceled = calls.some(({ operation }) => operation === 'cancel');
  if (start.settles || isCanceled) steps.push({ step: 'wait', for: 'a' });
  const look = callOf(tools, 'get', { id: task });
  steps.push(look);
  if (randomSource.chance(0.5)) steps.push(look);
  if (calls.some((call) => call.operation === 'pushSet')) {
    const reads = tools.operations.includes('pushList')
      ? [callOf(tools, 'pushList', { taskId: task })]
      : [0, 1].map((number) => callOf(tools, 'pushGet', { taskId: task, configId: `race-${number}` }));
    steps.push(...reads, look);
  }
  return { dialect: tools.dialect.id, steps };
}
