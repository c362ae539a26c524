/** Why a file cannot be read or written, in one line: plain words for the common errors of Node. */
export function whyOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'the file does not exist';
  if (code === 'EISDIR') return 'it is a folder';
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
