/** What an unknown error says, one line. Of what is no JSON the parser quotes a piece, which may be a key. */
export const causeOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  const [first = ''] = (error instanceof SyntaxError ? text.replace(/, (\.\.\.)?".*/s, '') : text).split('\n');
  return first;
};
