import type { DeviceRequest, JudgedTarget } from '../endpoint/index.js';
import type { TckErrorCode } from '../model/index.js';
import type { CheckResult, PaymentReport, Report, RunEvent } from '../report/index.js';

// Messages between the thread that holds the clock and the thread that talks to the agent.

/** The options that are data. Functions stay in the other thread and are called by messages. */
export type Portable = Omit<JudgedTarget, 'onEvent' | 'onPayments' | 'onDevice' | 'signal' | 'restart' | 'isolate'>;

/** What a thread needs to start a run. */
export interface Start {
  readonly options: Portable;
  /** Whether `restart`, `onDevice` and `onKept` were given. */
  readonly restarts: boolean;
  readonly asks: boolean;
  readonly keeps: boolean;
  /**
   * What the thread is busy with: UTF-8, ended by a zero byte. Written by the thread, read when it no longer answers.
   */
  readonly doing: SharedArrayBuffer;
  /**
   * How many lists of payments the other thread has taken: the kit sends a payment only when the other thread knows it.
   */
  readonly takenLists: SharedArrayBuffer;
}

export type ToRun =
  /** The first message. */
  | { readonly type: 'start'; readonly start: Start }
  /** The run shall end with what is known; `why` is left out if the user ends it. */
  | { readonly type: 'stop'; readonly why?: string }
  | { readonly type: 'ping' }
  /** The answer to `restart`: it is done, or `failed` says why not. */
  | { readonly type: 'restarted'; readonly failed?: string };

export type FromRun =
  | { readonly type: 'event'; readonly event: Exclude<RunEvent, { type: 'run.ended' }> }
  | { readonly type: 'planned'; readonly results: readonly CheckResult[] }
  | { readonly type: 'settled'; readonly result: CheckResult }
  | { readonly type: 'payments'; readonly list: readonly PaymentReport[] }
  | { readonly type: 'device'; readonly request: DeviceRequest }
  /** A case of the fuzzer that is worth keeping. */
  | { readonly type: 'kept'; readonly value: unknown }
  | { readonly type: 'restart' }
  /** Sent when a run starts, and as the answer to each ping. */
  | { readonly type: 'pong' }
  | { readonly type: 'ended'; readonly report: Report }
  | { readonly type: 'failed'; readonly error: Thrown };

/** An error in a form that can be sent. */
export type Thrown =
  | { readonly code: TckErrorCode; readonly message: string; readonly hint: string | undefined }
  | { readonly code?: undefined; readonly message: string; readonly stack: string | undefined };
