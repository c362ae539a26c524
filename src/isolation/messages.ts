import type { TckErrorCode } from '../model/index.js';
import type { CheckResult, PaymentReport, Report, RunEvent } from '../report/index.js';
import type { TargetOptions } from '../target/index.js';

// What passes between the thread that holds the clock and the one that has to do with the agent.

/** All of the options that is data. What is a function stays on its side and is called back. */
export type Portable = Omit<TargetOptions, 'onEvent' | 'onPayments' | 'signal' | 'restart' | 'isolate'>;

/** What a thread begins with. */
export interface Start {
  readonly options: Portable;
  /** Which of the functions were given. */
  readonly restarts: boolean;
  readonly keeps: boolean;
  /** What the thread is busy with: UTF-8, ended by a zero byte. Written by it, read when it says nothing any more. */
  readonly doing: SharedArrayBuffer;
}

export type ToRun =
  /** The first one. */
  | { readonly type: 'start'; readonly start: Start }
  /** The run is to end with what is known; `why` is left out where the user wants it. */
  | { readonly type: 'stop'; readonly why?: string }
  | { readonly type: 'ping' }
  /** Of the restart that was asked for: it is done, or why not. */
  | { readonly type: 'restarted'; readonly failed?: string };

export type FromRun =
  | { readonly type: 'event'; readonly event: Exclude<RunEvent, { type: 'run.ended' }> }
  | { readonly type: 'planned'; readonly results: readonly CheckResult[] }
  | { readonly type: 'settled'; readonly result: CheckResult }
  | { readonly type: 'payments'; readonly list: readonly PaymentReport[] }
  /** A case of the fuzzer that is worth keeping. */
  | { readonly type: 'kept'; readonly value: unknown }
  | { readonly type: 'restart' }
  /** The thread is there, and each answer to a ping. */
  | { readonly type: 'pong' }
  | { readonly type: 'ended'; readonly report: Report }
  | { readonly type: 'failed'; readonly error: Thrown };

/** An error as it can be sent. */
export type Thrown =
  | { readonly code: TckErrorCode; readonly message: string; readonly hint: string | undefined }
  | { readonly code?: undefined; readonly message: string; readonly stack: string | undefined };
