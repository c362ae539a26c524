/** The first line of an error's message. A JSON parser quotes some of the input, which may be a key: it is removed. */
export const causeOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  const [first = ''] = (error instanceof SyntaxError ? text.replace(/, (\.\.\.)?".*/s, '') : text).split('\n');
  return first;
};
