import { isTerminal, type TaskState } from '../../model/index.js';

// Linearizability of what happened to one task (Herlihy and Wing 1990; the search is that of Wing and Gong 1993, with
// Lowe's memory): whether there is one order of all operations, each at some moment between its sending and its answer,
// in which the task moves only as it may and the operations before explain every reading. The agent may move the task
// by itself at any time.

/** What happened at one moment. Messages and configurations are numbered by the caller. */
export type Happening =
  /** An answer showed the task in this state, with these messages; undefined: it says nothing about messages. */
  | { readonly type: 'seen'; readonly state: TaskState | undefined; readonly messages: number | undefined }
  /** The agent took a message; `open`: only an open task may take one. */
  | { readonly type: 'taken'; readonly message: number; readonly open: boolean }
  /** Value 0: it was deleted. `alone`: the agent may drop all others. */
  | { readonly type: 'set'; readonly config: number; readonly value: number; readonly alone: boolean }
  /** Value 0: it was not there. */
  | { readonly type: 'config-seen'; readonly config: number; readonly value: number };

/** Something that happened at an unknown time between two others; `after`: index of a moment that comes before it. */
export interface Moment {
  readonly from: number;
  readonly to: number;
  readonly what: Happening;
  readonly after?: number;
}

/** `ended`: the task has ended, in a state that no answer has shown yet. */
type Phase = 'new' | 'submitted' | 'open' | 'ended' | TaskState;

interface World {
  readonly phase: Phase;
  /** Messages that were taken, and those that an answer showed, as bits. */
  readonly taken: number;
  readonly shown: number;
  readonly configs: readonly number[];
}

const hasEnded = (phase: Phase): boolean =>
  phase === 'ended' || (phase !== 'new' && phase !== 'open' && isTerminal(phase));

/** `isTold`: the task got another message, which may be called submitted as the first one was. */
function phaseAfter(phase: Phase, state: TaskState | undefined, isTold: boolean): Phase | undefined {
  if (state === undefined || state === 'unknown') return phase;
  if (isTerminal(state)) return !hasEnded(phase) || phase === 'ended' || phase === state ? state : undefined;
  if (hasEnded(phase)) return undefined;
  if (state === 'submitted') return phase === 'new' || phase === 'submitted' || isTold ? 'submitted' : undefined;
  return 'open';
}

/** The worlds that may follow; none: it cannot happen now. */
function after(world: World, what: Happening): readonly World[] {
  switch (what.type) {
    case 'seen': {
      const phase = phaseAfter(world.phase, what.state, world.taken !== 0);
      if (phase === undefined) return [];
      const { messages } = what;
      if (messages === undefined) return phase === world.phase ? [world] : [{ ...world, phase }];
      // Only messages that were taken are shown, and a message that was shown stays.
      if ((messages & ~world.taken) !== 0 || (world.shown & ~messages) !== 0) return [];
      return phase === world.phase && messages === world.shown ? [world] : [{ ...world, phase, shown: messages }];
    }
    case 'taken':
      if (what.open && hasEnded(world.phase)) return [];
      return [{ ...world, taken: world.taken | (1 << what.message) }];
    case 'set': {
      const kept = world.configs.with(what.config, what.value);
      const worlds = [{ ...world, configs: kept }];
      if (what.alone && what.value !== 0) {
        worlds.push({ ...world, configs: world.configs.map((_, at) => (at === what.config ? what.value : 0)) });
      }
      return worlds;
    }
    case 'config-seen': {
      const value = world.configs[what.config] ?? 0;
      if (value === what.value) return [world];
      if (what.value !== 0) return [];
      // A task that has ended may have lost its configurations (1.0 §3.1.7).
      const configs = world.configs.with(what.config, 0);
      if (hasEnded(world.phase)) return [{ ...world, configs }];
      return [{ ...world, phase: 'ended', configs }];
    }
  }
}

/** Most states of the search; beyond them the search gives no verdict. */
const mostWorlds = 20_000;
const mostMoments = 64;

const keyOf = (done: bigint, { phase, taken, shown, configs }: World): string =>
  `${done} ${phase} ${taken} ${shown} ${configs.join()}`;

/** Whether there is a legal order; also true when the search would be too large. */
export function hasLegalOrder(moments: readonly Moment[], configs: number): boolean {
  if (moments.length > mostMoments) return true;
  const all = (1n << BigInt(moments.length)) - 1n;
  const dead = new Set<string>();

  function search(done: bigint, world: World): boolean {
    if (done === all) return true;
    const key = keyOf(done, world);
    if (dead.has(key)) return false;
    if (dead.size >= mostWorlds) return true;
    const isDone = (at: number): boolean => (done & (1n << BigInt(at))) !== 0n;
    // A request that was sent after another had ended comes after it.
    let earliestEnd = Number.POSITIVE_INFINITY;
    for (const [at, { to }] of moments.entries()) if (!isDone(at) && to < earliestEnd) earliestEnd = to;
    let branches: (readonly [bigint, World])[] = [];
    for (const [at, { from, what, after: before }] of moments.entries()) {
      if (isDone(at) || from > earliestEnd || (before !== undefined && !isDone(before))) continue;
      const next = done | (1n << BigInt(at));
      const worlds = after(world, what);
      // A moment that fits now and does not restrict later ones is taken at once: it could only be in the way later.
      const [only] = worlds;
      if (only !== undefined && worlds.length === 1 && (only === world || what.type === 'taken')) {
        branches = [[next, only]];
        break;
      }
      for (const world of worlds) branches.push([next, world]);
    }
    for (const [next, world] of branches) if (search(next, world)) return true;
    dead.add(key);
    return false;
  }
  return search(0n, { phase: 'new', taken: 0, shown: 0, configs: Array.from({ length: configs }, () => 0) });
}
