/** Kinds of errors of the kit or of the user; the target never causes one. */
export type TckErrorCode = 'usage' | 'config' | 'unreachable' | 'not-an-agent' | 'internal';

export class TckError extends Error {
  readonly code: TckErrorCode;
  /** Advice, one line. */
  readonly hint: string | undefined;
  constructor(code: TckErrorCode, message: string, hint?: string) {
    super(message);
    this.name = 'TckError';
    this.code = code;
    this.hint = hint;
  }
}
