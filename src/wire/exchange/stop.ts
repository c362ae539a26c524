import { CarrierFailure, type FailureKind, type StopSignal } from './exchange.js';

/** Ends one exchange; only the first reason counts. */
export interface Stop {
  /** For the carrier. */
  readonly signal: StopSignal;
  now(kind: FailureKind, detail: string): void;
  /** The promise, but rejects at a reason to stop: the agent may never let it settle. Only one promise at a time. */
  during<T>(promise: PromiseLike<T>): Promise<T>;
}

/** A class, since there is one object for each exchange: object literals with getters would share no shape. */
class StopNow implements Stop, StopSignal {
  readonly #listeners = new Set<() => void>();
  #reason: CarrierFailure | undefined;
  #interrupt: ((reason: CarrierFailure) => void) | undefined;
  get signal(): StopSignal {
    return this;
  }
  get aborted(): boolean {
    return this.#reason !== undefined;
  }
  addEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }
  removeEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }
  now(kind: FailureKind, detail: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = new CarrierFailure(kind, detail);
    this.#interrupt?.(this.#reason);
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
  during<T>(promise: PromiseLike<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#interrupt = reject;
      if (this.#reason !== undefined) reject(this.#reason);
      promise.then(resolve, reject);
    });
  }
}

export const createStop = (): Stop => new StopNow();
