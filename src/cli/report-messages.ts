import type { ReportContext, ReportFormat } from '../../reporters/index.js';
import type { RunEvent } from '../report/index.js';

// Messages between the thread that writes files and the thread that renders their content.

/** A format to render. The other thread adds the function of the context, which cannot be sent. */
export interface Rendered {
  readonly format: ReportFormat;
  readonly context: Omit<ReportContext, 'sentence'>;
}

export interface ReportStart {
  readonly rendered: readonly Rendered[];
  /** The format that the thread is busy with. */
  readonly doing: SharedArrayBuffer;
}

export type ToReports =
  | { readonly type: 'event'; readonly event: RunEvent }
  /** Answered when all events before it are rendered. */
  | { readonly type: 'flush' }
  | { readonly type: 'ping' };

export type FromReports =
  /** `at`: place in `rendered`. */
  | { readonly type: 'text'; readonly at: number; readonly text: string }
  | { readonly type: 'failed'; readonly at: number; readonly error: unknown }
  | { readonly type: 'flushed' }
  | { readonly type: 'pong' };
