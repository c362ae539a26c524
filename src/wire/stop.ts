import { CarrierFailure, type FailureKind, type StopSignal } from './exchange.js';

/** Ends one exchange, for the first reason that comes up. */
export interface Stop {
  /** For the carrier. */
  readonly signal: StopSignal;
  now(kind: FailureKind, detail: string): void;
  /** The promise, or a rejection as soon as there is a reason to stop: the target may never let it settle. One at a time. */
  during<T>(promise: PromiseLike<T>): Promise<T>;
}

export function createStop(): Stop {
  const listeners = new Set<() => void>();
  let reason: CarrierFailure | undefined;
  let interrupt: ((reason: CarrierFailure) => void) | undefined;
  return {
    signal: {
      get aborted() {
        return reason !== undefined;
      },
      addEventListener(_, listener) {
        listeners.add(listener);
      },
      removeEventListener(_, listener) {
        listeners.delete(listener);
      },
    },
    now(kind, detail) {
      if (reason !== undefined) return;
      reason = new CarrierFailure(kind, detail);
      interrupt?.(reason);
      for (const listener of listeners) listener();
      listeners.clear();
    },
    during(promise) {
      return new Promise((resolve, reject) => {
        interrupt = reject;
        if (reason !== undefined) reject(reason);
        promise.then(resolve, reject);
      });
    },
  };
}
