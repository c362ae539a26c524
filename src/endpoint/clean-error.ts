import { TckError } from '../model/index.js';
import type { Redactor } from '../wire/index.js';

/** The error without secrets: messages quote the target, which may repeat what it was sent. */
export function cleanError(error: unknown, redactor: Redactor): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof TckError) {
    return new TckError(error.code, redactor.url(error.message), error.hint && redactor.url(error.hint));
  }
  error.message = redactor.url(error.message);
  if (error.stack !== undefined) error.stack = redactor.text(error.stack);
  return error;
}
