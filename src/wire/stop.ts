import { CarrierFailure, type FailureKind } from './exchange.js';

/** Ends one exchange, for the first reason that comes up. */
export interface Stop {
  /** For the carrier. */
  readonly signal: AbortSignal;
  now(kind: FailureKind, detail: string): void;
  /** The promise, or a rejection as soon as there is a reason to stop: the target may never let it settle. One at a time. */
  during<T>(promise: PromiseLike<T>): Promise<T>;
}

export function createStop(): Stop {
  const controller = new AbortController();
  let reason: CarrierFailure | undefined;
  let interrupt: ((reason: CarrierFailure) => void) | undefined;
  return {
    signal: controller.signal,
    now(kind, detail) {
      if (reason !== undefined) return;
      reason = new CarrierFailure(kind, detail);
      interrupt?.(reason);
      controller.abort();
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
