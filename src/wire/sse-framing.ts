import { printable } from './text.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder('utf-8');

/** How lines of an object or of a list of some begin. */
const json = /^\s*(?:[{}\]"]|\[\s*[{"])/;

/**
 * Any name is one of a field, and what a client does not know it ignores (WHATWG HTML §9.2.5, §9.2.6): a problem are only
 * lines whose payload is lost by that.
 */
function lineProblem(line: string): string | undefined {
  if (json.test(line)) return 'JSON outside a data field';
  const [name = ''] = line.split(':', 1);
  if (name !== 'data' && name.trim().toLowerCase() === 'data') return 'the field name must be data, without spaces';
  return undefined;
}

/**
 * What in a body is no event stream by WHATWG HTML §9.2.5, or is lost on those who read it as one: one text for each kind
 * of problem, with the first line that has it. Empty: well-formed. `isWhole`: it came to its end, so that the end is judged as well.
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
