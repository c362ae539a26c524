import type { Outcome } from '../../client/index.js';
import type { RequirementKey } from '../../ledger/index.js';
import type { Scene, Source } from '../scenes/scene.js';
import type { Judgement } from './verdict.js';

/** `{ task, answer … }`: the values of the givens by name. */
export type Givens = Readonly<Record<string, unknown>>;

export interface Expectation {
  /** Reads after "the agent must": "refuse it as not cancelable". */
  readonly about: string;
  judge(seen: unknown, scene: Scene & Givens): Judgement | Promise<Judgement>;
  /** The value whose exchanges show a failure; left out: what the story returned. */
  shownBy?(scene: Scene & Givens): unknown;
}
export interface Control {
  /** Reads after "but accepts": "the same part as plain text". */
  readonly about: string;
  act(scene: Scene & Givens): Promise<Outcome<unknown>>;
}

/** A story: given, when, expects. The runner turns it into a verdict. */
export interface Check {
  readonly kind: 'check';
  /** `<suite>/<name>`, never reused. */
  readonly id: string;
  readonly keys: readonly RequirementKey[];
  readonly givens: readonly (readonly [name: string, source: Source<unknown>])[];
  readonly when: { readonly about: string; act(scene: Scene & Givens): Promise<unknown> };
  readonly controls: readonly Control[];
  readonly expectations: readonly Expectation[];
  readonly turn: Turn;
  /** Usual causes of a failure, and what to do. */
  readonly advice: string;
}

/**
 * When a check is played: `any`, among all others; `first`, before them, and looked at after them; `last`, after them;
 * `alone`, after them and with nothing else under way.
 */
export type Turn = 'first' | 'any' | 'last' | 'alone';

interface Building {
  readonly id: string;
  readonly keys: readonly RequirementKey[];
  readonly givens: Check['givens'];
  readonly when: Check['when'];
  readonly controls: readonly Control[];
  readonly expectations: readonly Expectation[];
  readonly turn: Turn;
}

type Scenery<G> = Scene & Readonly<G>;

/** Before the act: what is given. */
export class Given<G extends object> {
  readonly #built: Building;
  constructor(built: Building) {
    this.#built = built;
  }
  given<Name extends string, T>(name: Name, source: Source<T>): Given<G & Record<Name, T>> {
    return new Given({ ...this.#built, givens: [...this.#built.givens, [name, source]] });
  }
  /**
   * Begins before all others, which go on while it waits `aside` for time to pass. Only checks that run alone wait for
   * its end.
   */
  first(): Given<G> {
    return new Given({ ...this.#built, turn: 'first' });
  }
  /** Runs after all others, and by itself: nothing else may disturb, or be disturbed by, what it measures or does. */
  alone(): Given<G> {
    return new Given({ ...this.#built, turn: 'alone' });
  }
  /**
   * Runs after all others, and by itself, so that it is known which check broke the agent. Only on a slow agent that
   * takes many requests at once it runs beside others that run last, and again by itself if it does not pass there.
   */
  last(): Given<G> {
    return new Given({ ...this.#built, turn: 'last' });
  }
  when<Seen>(about: string, act: (scene: Scenery<G>) => Promise<Seen>): When<G, Seen> {
    return new When({ ...this.#built, when: { about, act: act as Check['when']['act'] } });
  }
}

/** After the act: what is expected of what was seen. */
export class When<G extends object, Seen> {
  readonly #built: Building;
  constructor(built: Building) {
    this.#built = built;
  }
  /**
   * The nearest request that must be accepted. A refusal counts only if this is accepted: an agent that refuses
   * everything becomes inconclusive, not pass. Sent when the expectations hold, or to compare a failing refusal or
   * timeout with it.
   */
  butAccepts(about: string, act: (scene: Scenery<G>) => Promise<Outcome<unknown>>): When<G, Seen> {
    const control: Control = { about, act: act as Control['act'] };
    return new When({ ...this.#built, controls: [...this.#built.controls, control] });
  }
  /** `shownBy`: the value whose exchanges show a failure, where what `when` returned does not. */
  expects(
    about: string,
    judge: (seen: Seen, scene: Scenery<G>) => Judgement | Promise<Judgement>,
    shownBy?: (scene: Scenery<G>) => unknown,
  ): When<G, Seen> {
    const expectation = { about, judge, ...(shownBy === undefined ? {} : { shownBy }) } as Expectation;
    return new When({ ...this.#built, expectations: [...this.#built.expectations, expectation] });
  }
  /** Ends the check: usual causes of a failure and what to do; shown with it and by `explain`. */
  advice(advice: string): Check {
    return { kind: 'check', ...this.#built, advice };
  }
}

/**
 * Starts a check. `keys` name the requirement rows that it decides; all rows of one version must be of one level, which
 * is the check's. A version without any of the rows has no such check. What proves it are the faults that break one of
 * these rows: at least one must make it fail.
 */
export function check(
  id: `${string}/${string}`,
  ...keys: readonly [RequirementKey, ...RequirementKey[]]
): Given<object> {
  return new Given({
    id,
    keys,
    givens: [],
    when: { about: '', act: async () => undefined },
    controls: [],
    expectations: [],
    turn: 'any',
  });
}
