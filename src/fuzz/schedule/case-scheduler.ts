import type { Clock } from '../../wire/index.js';
import type { Case } from '../case/case.js';
import { isSlow, knownAt } from './lookahead.js';

// The order in which the cases of a campaign run, and when their results are known. `T`: the result of a case;
// undefined: it was not run, because the campaign had ended.

export interface CaseSchedulerParts<T> {
  readonly clock: Clock;
  run(next: Case, number: number, how: RunOptions): Promise<T | undefined>;
  /** Takes the result of a case into account. `quiet`: waits until no case is under way. */
  fold(ended: T | undefined, quiet: () => Promise<unknown>): Promise<void>;
}

export interface RunOptions {
  /** Called when the first request may be sent. */
  readonly onTurn?: () => void;
  /** See `PerformOptions`. */
  readonly aside?: () => Promise<void>;
}

export interface CaseScheduler {
  /** To be awaited before case `number`, from 1 on, is chosen: takes into account what must be known by then. */
  before(number: number): Promise<void>;
  begin(next: Case, number: number): Promise<void>;
  /** Waits for all cases that have begun. */
  end(): Promise<void>;
}

/**
 * How many other cases run while one stands aside: a fixed number, so that the order of requests never depends on time.
 */
const apart = 8;

/** Lets a case stand aside, so that others run meanwhile. */
interface Siding {
  /** Called by the executor: resolves when the case may go on. */
  aside(): Promise<void>;
  /** Resolves when the case stands aside for the next time after `goOn`. */
  readonly arrived: Promise<void>;
  goOn(): void;
  /** Lets the case go on, and never stand aside again. */
  close(): void;
}

function createSiding(): Siding {
  let isClosed = false;
  let leave: (() => void) | undefined;
  let arrive: () => void;
  const next = () =>
    new Promise<void>((resolve) => {
      arrive = resolve;
    });
  let arrived = next();
  const goOn = (): void => {
    arrived = next();
    leave?.();
  };
  return {
    aside: () =>
      isClosed
        ? Promise.resolve()
        : new Promise<void>((resolve) => {
            leave = resolve;
            arrive();
          }),
    get arrived() {
      return arrived;
    },
    goOn,
    close() {
      isClosed = true;
      goOn();
    },
  };
}

/**
 * Sends one request after the other. A case that waits for its task stands aside for eight others; the results of all
 * cases that do not stand aside are known.
 */
export function oneByOne<T>({ run, fold }: CaseSchedulerParts<T>): CaseScheduler {
  interface Single {
    readonly siding: Siding;
    readonly ended: Promise<T | undefined>;
  }
  /** Cases that stand aside, in the order in which they go on. */
  const aside: { readonly single: Single; readonly until: number }[] = [];
  let begun = 0;

  async function quiet(): Promise<void> {
    for (const { single } of aside) {
      single.siding.close();
      await single.ended;
    }
  }
  async function drive(single: Single): Promise<void> {
    const { siding, ended } = single;
    const isAside = await Promise.race([ended.then(() => false), siding.arrived.then(() => true)]);
    if (isAside) aside.push({ single, until: begun + apart });
    else await fold(await ended, quiet);
  }
  async function resume(until: number): Promise<void> {
    for (let [first] = aside; first !== undefined && first.until <= until; [first] = aside) {
      aside.shift();
      first.single.siding.goOn();
      await drive(first.single);
    }
  }
  return {
    before: (number) => resume(number - 1),
    async begin(next, number) {
      begun = number;
      const siding = createSiding();
      await drive({ siding, ended: run(next, number, { aside: siding.aside }) });
    },
    end: () => resume(Number.POSITIVE_INFINITY),
  };
}

/**
 * How long the choice of other cases waits for a case, ms: a second in which nothing is sent costs more than the
 * answers of one case are worth.
 */
const lateMs = 1000;

/** Runs several cases at once; `knownAt` says which results are known when. */
export function several<T>(lanes: number, { run, fold, clock }: CaseSchedulerParts<T>): CaseScheduler {
  interface Run {
    readonly ended: Promise<T | undefined>;
    /** Whether it ended within `lateMs`; resolves by then. */
    readonly inTime: Promise<boolean>;
    isOver(): boolean;
  }
  const [quick, slow, late] = [new Map<number, Run>(), new Map<number, Run>(), new Set<Run>()];
  /** Cases that are chosen and not yet begun. */
  let queued = 0;
  let hurry: (() => void) | undefined;

  const quiet = () => Promise.all([...quick.values(), ...slow.values(), ...late].map(({ ended }) => ended));

  function start(next: Case, number: number): Run {
    let isDone = false;
    let stop: (() => void) | undefined;
    let tell: (inTime: boolean) => void = () => {};
    const inTime = new Promise<boolean>((resolve) => {
      tell = resolve;
    });
    queued++;
    function onTurn(): void {
      queued--;
      hurry?.();
      stop = clock.after(lateMs, () => tell(false));
    }
    const ended = run(next, number, { onTurn }).finally(() => {
      isDone = true;
      stop?.();
      tell(true);
    });
    return { ended, inTime, isOver: () => isDone };
  }
  async function foldUntil(last: number, runs: Map<number, Run>): Promise<void> {
    for (const [number, run] of runs) {
      if (number > last) return;
      const isDone = await run.inTime;
      runs.delete(number);
      if (isDone) await fold(await run.ended, quiet);
      else late.add(run);
    }
  }
  /** Takes late cases into account when they have ended. */
  async function foldLate(which: (run: Run) => boolean): Promise<void> {
    for (const run of late) {
      if (!which(run)) continue;
      late.delete(run);
      await fold(await run.ended, quiet);
    }
  }
  return {
    async before(number) {
      await foldUntil(knownAt(number, lanes, false), quick);
      await foldUntil(knownAt(number, lanes, true), slow);
      await foldLate((run) => run.isOver());
      // Queued cases cost memory.
      while (queued >= 2 * lanes) {
        await new Promise<void>((resolve) => {
          hurry = resolve;
        });
      }
    },
    async begin(next, number) {
      (isSlow(next) ? slow : quick).set(number, start(next, number));
    },
    async end() {
      await foldUntil(Number.POSITIVE_INFINITY, quick);
      await foldUntil(Number.POSITIVE_INFINITY, slow);
      await foldLate(() => true);
    },
  };
}
