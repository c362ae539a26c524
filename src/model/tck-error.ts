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

/**
 * What is said of a defect of the kit: the kind of the error, and its code if it has one. Never its message: that may
 * quote any input, even a secret.
 */
export function nameOfDefect(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? `${error.name} (${code})` : error.name;
}

/** Where a defect of the kit came up: its stack without the message, a line each. */
export const framesOf = ({ message, stack = '' }: Error): readonly string[] =>
  stack
    .replace(message, '')
    .split('\n')
    .filter((line) => line.startsWith('    at '));
