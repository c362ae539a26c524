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
  unknownId,
} from './scripting.js';

/** The state that a story expects of one of its tasks. It only serves to choose a sensible next step. */
interface Actor {
  readonly name: string;
  state: 'working' | 'waiting' | 'over';
  settles: boolean;
  readonly configs: string[];
}

interface Plot {
  readonly randomSource: RandomSource;
  readonly tools: ScriptTools;
  readonly steps: Step[];
  readonly actors: Actor[];
}

const taskOf = ({ name }: Actor): string => reference(`${name}.task`);

/** Begins a task, and mostly waits until it settles. */
function begin({ randomSource, tools, steps, actors }: Plot, context?: string): void {
  const start: Beginning = randomSource.pick(beginnings);
  // A beginning without a task has a name, and no actor.
  const name = `t${steps.filter((step) => step.step === 'call' && step.as !== undefined).length}`;
  const message = {
    ...promptOf(randomSource, start.goal, tools),
    ...(context === undefined ? {} : { contextId: context }),
  };
  const streams = tools.operations.includes('stream') && randomSource.chance(0.25);
  const configuration = {
    ...quickly(tools),
    ...(randomSource.chance(0.2) ? { blocking: true } : {}),
    ...(randomSource.chance(0.2) ? { historyLength: randomSource.pick([0, 1, 10]) } : {}),
  };
  // The request must not wait for a task that does not settle.
  const patient = start.settles ? configuration : { ...configuration, blocking: false };
  const events = randomSource.chance(0.3) ? { events: 1 + randomSource.below(3) } : {};
  steps.push(
    streams
      ? callOf(tools, 'stream', { message, configuration: patient }, { as: name, listenMs: 1500, ...events })
      : callOf(tools, 'send', { message, configuration: patient }, { as: name }),
  );
  if (start.leads === 'none') return;
  actors.push({ name, state: start.leads, settles: start.settles, configs: [] });
  if (start.settles && randomSource.chance(0.75)) steps.push({ step: 'wait', for: name });
}

type Turn = (plot: Plot, actor: Actor) => void;

const read: Turn = ({ randomSource, tools, steps }, actor) => {
  const length = randomSource.pick([undefined, undefined, 0, 1, 2, 100]);
  steps.push(callOf(tools, 'get', { id: taskOf(actor), ...(length === undefined ? {} : { historyLength: length }) }));
};

const goOn: Turn = ({ randomSource, tools, steps }, actor) => {
  const operation = tools.operations.includes('stream') && randomSource.chance(0.2) ? 'stream' : 'send';
  const params = { message: answerTo(randomSource, taskOf(actor)), configuration: quickly(tools) };
  steps.push(callOf(tools, operation, params, operation === 'stream' ? { listenMs: 1500 } : {}));
  if (actor.state !== 'waiting') return;
  actor.state = 'over';
  if (randomSource.chance(0.5)) steps.push({ step: 'wait', for: actor.name });
};

const cancel: Turn = ({ randomSource, tools, steps }, actor) => {
  steps.push(callOf(tools, 'cancel', { id: taskOf(actor) }));
  actor.state = 'over';
  if (randomSource.chance(0.4)) steps.push(callOf(tools, 'cancel', { id: taskOf(actor) }));
};

const listening = (randomSource: RandomSource) => ({
  listenMs: randomSource.pick([200, 800, 2000]),
  ...(randomSource.chance(0.2) ? { events: 1 } : {}),
});

const subscribe: Turn = ({ randomSource, tools, steps }, actor) => {
  steps.push(callOf(tools, 'subscribe', { id: taskOf(actor) }, listening(randomSource)));
};

/** Several subscribers of one task or of two, at once with a message to it or its cancellation. */
const subscribeTwice: Turn = ({ randomSource, tools, steps, actors }, actor) => {
  const other = randomSource.chance(0.5) ? randomSource.pick(actors) : actor;
  const calls: CallStep[] = [actor, actor, other].map((actor) =>
    callOf(tools, 'subscribe', { id: taskOf(actor) }, { listenMs: 2000 }),
  );
  if (randomSource.chance(actor.state === 'waiting' ? 0.5 : 0.2)) {
    calls.push(
      callOf(tools, 'send', { message: answerTo(randomSource, taskOf(actor)), configuration: quickly(tools) }),
    );
  } else if (tools.operations.includes('cancel') && randomSource.chance(0.8)) {
    calls.push(callOf(tools, 'cancel', { id: taskOf(actor) }));
  }
  steps.push({ step: 'together', calls });
  actor.state = 'over';
};

const setConfig: Turn = ({ randomSource, tools, steps }, actor) => {
  const id = randomSource.pick([...actor.configs, `config-${actor.configs.length}`]);
  const url = `${tools.webhook}/${actor.name}/${id}/${randomSource.below(1000)}`;
  steps.push(callOf(tools, 'pushSet', { taskId: taskOf(actor), config: { id, url } }));
  if (!actor.configs.includes(id)) actor.configs.push(id);
  // Sometimes the new configuration is asked for at once.
  if (randomSource.chance(0.4)) askConfig({ randomSource, tools, steps, actors: [] }, actor);
};
const someConfig = (randomSource: RandomSource, { configs }: Actor): string =>
  configs.length === 0 || randomSource.chance(0.1) ? 'config-never-set' : randomSource.pick(configs);
const askConfig: Turn = ({ randomSource, tools, steps }, actor) => {
  const configId = someConfig(randomSource, actor);
  const lists = tools.operations.includes('pushList') && randomSource.chance(0.5);
  steps.push(
    lists
      ? callOf(tools, 'pushList', { taskId: taskOf(actor) })
      : callOf(tools, 'pushGet', { taskId: taskOf(actor), configId }),
  );
};
const deleteConfig: Turn = ({ randomSource, tools, steps }, actor) => {
  const remove = callOf(tools, 'pushDelete', { taskId: taskOf(actor), configId: someConfig(randomSource, actor) });
  steps.push(remove);
  if (randomSource.chance(0.3)) steps.push(remove);
  if (randomSource.chance(0.6)) askConfig({ randomSource, tools, steps, actors: [] }, actor);
};

/** Sets two configurations and deletes one: the other must stay. */
const deleteOneOfTwo: Turn = ({ randomSource, tools, steps }, actor) => {
  if (!tools.operations.includes('pushSet')) return;
  const task = taskOf(actor);
  const [gone, kept] = randomSource.chance(0.5) ? (['pair-0', 'pair-1'] as const) : (['pair-1', 'pair-0'] as const);
  for (const id of ['pair-0', 'pair-1']) {
    const url = `${tools.webhook}/${actor.name}/${id}`;
    steps.push(callOf(tools, 'pushSet', { taskId: task, config: { id, url } }));
    if (!actor.configs.includes(id)) actor.configs.push(id);
  }
  const lists = tools.operations.includes('pushList') && randomSource.chance(0.5);
  steps.push(
    callOf(tools, 'pushDelete', { taskId: task, configId: gone }),
    lists ? callOf(tools, 'pushList', { taskId: task }) : callOf(tools, 'pushGet', { taskId: task, configId: kept }),
    // A task that has ended may have forgotten its configurations.
    callOf(tools, 'get', { id: task }),
  );
};

/** Sets a configuration with the same id for two tasks: they are two configurations. */
const setForBoth: Turn = ({ randomSource, tools, steps, actors }, actor) => {
  const [other] = actors.filter((item) => item !== actor);
  if (other === undefined) return setConfig({ randomSource, tools, steps, actors }, actor);
  const id = `shared-${randomSource.below(2)}`;
  for (const item of [actor, other]) {
    steps.push(
      callOf(tools, 'pushSet', { taskId: taskOf(item), config: { id, url: `${tools.webhook}/${item.name}/${id}` } }),
    );
    if (!item.configs.includes(id)) item.configs.push(id);
  }
  if (tools.operations.includes('pushDelete') && randomSource.chance(0.3)) {
    steps.push(callOf(tools, 'pushDelete', { taskId: taskOf(other), configId: id }));
  }
  steps.push(callOf(tools, 'pushGet', { taskId: taskOf(actor), configId: id }));
};

/** A message that names a task and a context that is not the task's own. */
const mixUp: Turn = ({ randomSource, tools, steps, actors }, actor) => {
  const other = randomSource.pick(actors);
  const contextId = other === actor ? unknownId(randomSource) : reference(`${other.name}.context`);
  const message = { ...answerTo(randomSource, taskOf(actor)), contextId };
  steps.push(callOf(tools, 'send', { message, configuration: quickly(tools) }));
};

/** A message to an unknown task, and a read of it: a refused message begins nothing. */
function sayToNobody({ randomSource, tools, steps }: Plot): void {
  const id = unknownId(randomSource);
  steps.push(callOf(tools, 'send', { message: answerTo(randomSource, id), configuration: quickly(tools) }));
  if (tools.operations.includes('get')) steps.push(callOf(tools, 'get', { id }));
}

/** An operation on an unknown task. */
const stray: Turn = (plot) => {
  const { randomSource, tools, steps } = plot;
  const kinds = (['get', 'cancel', 'subscribe', 'send'] as const).filter((text) => tools.operations.includes(text));
  const operation = randomSource.pick(kinds);
  if (operation === 'send') return sayToNobody(plot);
  const id = unknownId(randomSource);
  steps.push(callOf(tools, operation, { id }, operation === 'subscribe' ? { listenMs: 200 } : {}));
};

const list: Turn = ({ randomSource, tools, steps }, actor) => {
  const query = {
    ...(randomSource.chance(0.6)
      ? { contextId: randomSource.chance(0.9) ? reference(`${actor.name}.context`) : unknownId(randomSource) }
      : {}),
    ...(randomSource.chance(0.3)
      ? { state: randomSource.pick(['working', 'completed', 'canceled', 'input-required']) }
      : {}),
    ...(randomSource.chance(0.4) ? { pageSize: randomSource.pick([1, 2, 10, 100]) } : {}),
    ...(randomSource.chance(0.3) ? { historyLength: randomSource.pick([0, 1, 10]) } : {}),
    ...(randomSource.chance(0.3) ? { includeArtifacts: true } : {}),
  };
  steps.push(callOf(tools, 'list', query));
};

/** Begins one or two more tasks in a context, which end, and lists them page by page. */
const walkPages: Turn = ({ randomSource, tools, steps }, actor) => {
  const contextId = reference(`${actor.name}.context`);
  const query = { contextId, pageSize: 1, ...(randomSource.chance(0.2) ? { includeArtifacts: true } : {}) };
  const nameFor = (letter: string) => `${letter}${steps.length}`;
  if (actor.settles) steps.push({ step: 'wait', for: actor.name });
  for (let more = 1 + randomSource.below(2); more > 0; more--) {
    const name = nameFor('u');
    const message = { ...promptOf(randomSource, 'completed', tools), contextId };
    steps.push(callOf(tools, 'send', { message, configuration: quickly(tools) }, { as: name }));
    steps.push({ step: 'wait', for: name });
  }
  let page: string | undefined;
  for (let count = 3; count > 0; count--) {
    const next = page === undefined ? {} : { pageToken: reference(`${page}.token`) };
    page = nameFor('p');
    steps.push(callOf(tools, 'list', { ...query, ...next }, { as: page }));
  }
};

/** An operation by another caller, who should have no access to the task. */
const intrude: Turn = ({ randomSource, tools, steps }, actor) => {
  const kinds = (['get', 'cancel', 'send'] as const).filter((text) => tools.operations.includes(text));
  const operation = randomSource.pick(kinds);
  const caller = { caller: tools.hasSecond ? ('second' as const) : ('none' as const) };
  steps.push(
    operation === 'send'
      ? callOf(tools, 'send', { message: answerTo(randomSource, taskOf(actor)), configuration: quickly(tools) }, caller)
      : callOf(tools, operation, { id: taskOf(actor) }, caller),
    callOf(tools, 'get', { id: taskOf(actor) }),
  );
};

const another: Turn = (plot, actor) =>
  begin(plot, plot.randomSource.chance(0.5) ? reference(`${actor.name}.context`) : undefined);

interface Option {
  readonly turn: Turn;
  readonly needs?: Operation;
  /**
   * How often the turn is taken: more where it makes sense, but also where it does not, which the agent must handle.
   */
  readonly weight: (actor: Actor) => number;
}
const options: readonly Option[] = [
  { turn: read, weight: () => 4 },
  { turn: goOn, needs: 'send', weight: ({ state }) => (state === 'waiting' ? 6 : 3) },
  { turn: cancel, needs: 'cancel', weight: ({ state }) => (state === 'over' ? 2 : 3) },
  { turn: subscribe, needs: 'subscribe', weight: ({ state }) => (state === 'over' ? 1 : 3) },
  { turn: subscribeTwice, needs: 'subscribe', weight: ({ state }) => (state === 'over' ? 0 : 2) },
  { turn: setConfig, needs: 'pushSet', weight: ({ state }) => (state === 'over' ? 1 : 4) },
  { turn: setForBoth, needs: 'pushSet', weight: ({ state }) => (state === 'over' ? 1 : 2) },
  { turn: askConfig, needs: 'pushGet', weight: ({ configs }) => (configs.length > 0 ? 4 : 1) },
  { turn: deleteConfig, needs: 'pushDelete', weight: ({ configs }) => (configs.length > 0 ? 4 : 1) },
  { turn: deleteOneOfTwo, needs: 'pushDelete', weight: ({ state }) => (state === 'over' ? 0 : 3) },
  { turn: mixUp, needs: 'send', weight: () => 1 },
  { turn: stray, weight: () => 1 },
  { turn: list, needs: 'list', weight: () => 2 },
  { turn: walkPages, needs: 'list', weight: ({ state }) => (state === 'working' ? 0 : 2) },
  { turn: intrude, weight: () => 1 },
  { turn: another, needs: 'send', weight: () => 2 },
];

const openTo = (tools: ScriptTools): readonly Option[] =>
  options.filter(
    ({ needs, turn }) =>
      (needs === undefined || tools.operations.includes(needs)) && (turn !== intrude || tools.hasSecond),
  );

function nextTurn({ randomSource, tools }: Plot, actor: Actor): Turn {
  const open = openTo(tools);
  let left = randomSource.below(open.reduce((sum, { weight }) => sum + weight(actor), 0));
  for (const { turn, weight } of open) {
    left -= weight(actor);
    if (left < 0) return turn;
  }
  return read;
}

/** Turns that mostly end a task: a tour that begins with one shows little of an open task. */
const closing: ReadonlySet<Turn> = new Set([goOn, cancel, subscribeTwice]);
/** Most turns of a tour before a task is closed, and after it. With all turns, cases near it would be as long. */
const [mostBefore, mostAfter] = [3, 2];

/**
 * One task through different turns in any order, with reads in between: no turn is repeated, so a symptom that needs
 * two of them comes much sooner than with independent choices.
 */
function tour(plot: Plot, actor: Actor): void {
  const { randomSource, tools } = plot;
  const turns = openTo(tools).flatMap(({ turn }) => (aside.has(turn) ? [] : [turn]));
  const take = (from: Turn[]): void => {
    const [turn] = from.splice(randomSource.below(from.length), 1);
    turn?.(plot, actor);
    if (turn !== undefined && randomSource.chance(0.5)) read(plot, actor);
  };
  const closings = turns.filter((turn) => closing.has(turn));
  const others = turns.filter((turn) => !closing.has(turn));
  for (let count = 1 + randomSource.below(mostBefore); count > 0; count--) take(others);
  take(closings);
  for (let count = randomSource.below(mostAfter + 1); count > 0; count--)
    take(randomSource.chance(0.5) ? closings : others);
}
/** Turns that a tour leaves out: not about the task, or long enough by themselves. */
const aside: ReadonlySet<Turn> = new Set([read, another, stray, deleteOneOfTwo, walkPages]);

function wander(plot: Plot): void {
  const { randomSource, actors } = plot;
  for (let moves = 1 + randomSource.below(7); moves > 0; moves--) {
    if (actors.length === 0) begin(plot);
    else {
      // Mostly the same task: some states are only reached by many moves on one task.
      const actor = randomSource.chance(0.8) ? actors[0] : randomSource.pick(actors);
      if (actor !== undefined) nextTurn(plot, actor)(plot, actor);
    }
  }
}

/** Two to eight moves with one to three tasks, mostly sensible, and a last read of each. */
export function scenario(randomSource: RandomSource, tools: ScriptTools): Case {
  const plot: Plot = { randomSource, tools, steps: [], actors: [] };
  if (!tools.operations.includes('send')) {
    // Without `send` no task exists: the kit can only ask for unknown tasks.
    for (let times = 1 + randomSource.below(3); times > 0; times--)
      stray(plot, { name: '', state: 'over', settles: true, configs: [] });
    return { dialect: tools.dialect.id, steps: plot.steps };
  }
  begin(plot);
  if (randomSource.chance(0.2)) begin(plot);
  const [first] = plot.actors;
  if (first !== undefined && randomSource.chance(0.6)) tour(plot, first);
  else wander(plot);
  if (randomSource.chance(0.1)) sayToNobody(plot);
  const quiet = tools.operations.includes('list') ? plot.actors.find(({ state }) => state !== 'working') : undefined;
  if (quiet !== undefined && randomSource.chance(0.1)) walkPages(plot, quiet);
  for (const actor of plot.actors) {
    if (actor.settles && randomSource.chance(0.5)) plot.steps.push({ step: 'wait', for: actor.name });
    plot.steps.push(callOf(tools, 'get', { id: taskOf(actor) }));
    // By now the task has a history that can be cut.
    if (randomSource.chance(0.25)) plot.steps.push(callOf(tools, 'get', { id: taskOf(actor), historyLength: 1 }));
  }
  return { dialect: tools.dialect.id, steps: plot.steps };
}
