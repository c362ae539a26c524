import { printable } from './text.js';

/** Longest line that is in order, characters. */
const longestLine = 1024 * 1024;
const fields = new Set(['data', 'event', 'id', 'retry']);

const utf8 = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder('utf-8');

function lineProblem(line: string): string | undefined {
  if (line.length > longestLine) return 'a line is longer than 1 MiB';
  if (line === '' || line.startsWith(':')) return undefined;
  const colon = line.indexOf(':');
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (!fields.has(name)) {
    if (/^\s*[{[]/.test(line)) return 'JSON outside a data field';
    if (fields.has(name.trim().toLowerCase()))
      return `the field name must be ${name.trim().toLowerCase()}, without spaces`;
    return 'an unknown field';
  }
  if (name === 'retry' && !/^\d+$/.test(value)) return 'a retry that is no number';
  if (name === 'id' && value.includes('\0')) return 'an id with a NUL';
  return undefined;
}

/**
 * What in a body is no event stream by WHATWG HTML §9.2.5, one text for each kind of problem, with the first line that
 * has it. Empty: well-formed. `isWhole`: it came to its end, so that the end is judged as well.
 */
export function framingProblems(bytes: Uint8Array, isWhole = true): readonly string[] {
  const problems = new Map<string, string>();
  let text: string;
  try {
    // What is cut off may end within a letter.
    text = isWhole ? utf8.decode(bytes) : new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    problems.set('utf-8', 'the stream is not UTF-8');
    text = lenient.decode(bytes);
  }
  const lines = text.split(/\r\n|\n|\r/);
  // Behind the last line end there is an empty rest.
  const rest = lines.pop() ?? '';
  let isPending = false;
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith(':')) isPending = line !== '';
    const problem = lineProblem(line);
    if (problem === undefined || problems.has(problem)) continue;
    problems.set(problem, `${problem}, line ${index + 1}: ${printable(line, 80)}`);
  }
  if (!isWhole) return [...problems.values()];
  if (rest !== '') problems.set('end', `the stream ends within a line: ${printable(rest, 80)}`);
  else if (isPending) problems.set('end', 'the stream ends without the blank line that completes an event');
  return [...problems.values()];
}
