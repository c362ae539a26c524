import type { Clock } from '../wire/index.js';
import type { Case } from './case.js';
import { isSlow, knownAt } from './lookahead.js';

// In which order the cases of a campaign run, and when what came of them is known. `T`: what came of one; undefined: it
// was not run, because the campaign had ended.

export interface CourseParts<T> {
  readonly clock: Clock;
  run(next: Case, number: number, how: RunOptions): Promise<T | undefined>;
  /** Takes what came of a case into account. `quiet`: waits until no case is under way. */
  fold(ended: T | undefined, quiet: () => Promise<unknown>): Promise<void>;
}

export interface RunOptions {
  /** Told when the first request may go out. */
  readonly onTurn?: () => void;
  /** As `Executor.perform` has it. */
  readonly aside?: () => Promise<void>;
}

export interface Course {
  /** To be awaited before case `number` is chosen, from 1 on: what is to be known by then is folded. */
  before(number: number): Promise<void>;
  begin(next: Case, number: number): Promise<void>;
  /** Waits for all that have begun. */
  end(): Promise<void>;
}

/** So many other cases run while one stands aside: a fixed number, so that the order of requests never depends on time. */
const apart = 8;

/** Where a case stands aside. */
interface Siding {
  /** For the executor. */
  aside(): Promise<void>;
  /** Resolves when it stands aside, after it was told to go on last. */
  readonly arrived: Promise<void>;
  goOn(): void;
  /** It does not stand aside any more. */
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
 * One request after the other. A case that waits for its task stands aside for eight others; what came of all cases that
 * do not stand aside is known.
 */
export function oneByOne<T>({ run, fold }: CourseParts<T>): Course {
  interface Single {
    readonly siding: Siding;
    readonly ended: Promise<T | undefined>;
  }
  /** The first is the one that goes on first. */
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
 * Longer than that no case is waited for when others are to be chosen, ms: a second in which nothing is sent costs more
 * than what the answers of one case would have told.
 */
const lateMs = 1000;

/** Several at once; `knownAt` says what is known when. */
export function several<T>(lanes: number, { run, fold, clock }: CourseParts<T>): Course {
  interface Run {
    readonly ended: Promise<T | undefined>;
    /** Whether it ended in time, known by then. */
    readonly inTime: Promise<boolean>;
    isOver(): boolean;
  }
  const [quick, slow, late] = [new Map<number, Run>(), new Map<number, Run>(), new Set<Run>()];
  /** Chosen, and not yet begun. */
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
    for (const [number, one] of runs) {
      if (number > last) return;
      const isDone = await one.inTime;
      runs.delete(number);
      if (isDone) await fold(await one.ended, quiet);
      else late.add(one);
    }
  }
  /** Those that took long are taken into account when they have ended. */
  async function foldLate(which: (one: Run) => boolean): Promise<void> {
    for (const one of late) {
      if (!which(one)) continue;
      late.delete(one);
      await fold(await one.ended, quiet);
    }
  }
  return {
    async before(number) {
      await foldUntil(knownAt(number, lanes, false), quick);
      await foldUntil(knownAt(number, lanes, true), slow);
      await foldLate((one) => one.isOver());
      // Cases that only stand in line cost memory.
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
