/** What went wrong on our side or the user's; the target never causes one. */
export type TckErrorCode = 'usage' | 'config' | 'unreachable' | 'not-an-agent' | 'internal';

export class TckError extends Error {
  readonly code: TckErrorCode;
  /** What to do about it, one line. */
  readonly hint: string | undefined;
  constructor(code: TckErrorCode, message: string, hint?: string) {
    super(message);
    this.name = 'TckError';
    this.code = code;
    this.hint = hint;
  }
}
