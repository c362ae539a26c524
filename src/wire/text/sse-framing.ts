import { printable } from './text.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const lenient = new TextDecoder('utf-8');

/** The beginning of a line of a JSON object, or of a list of objects or strings. */
const json = /^\s*(?:[{}\]"]|\[\s*[{"])/;

/**
 * Every field name is allowed, and clients ignore unknown fields (WHATWG HTML §9.2.5, §9.2.6): only lines whose payload
 * is lost by that are a problem.
 */
function lineProblem(line: string): string | undefined {
  if (json.test(line)) return 'JSON outside a data field';
  const [name = ''] = line.split(':', 1);
  if (name !== 'data' && name.trim().toLowerCase() === 'data') return 'the field name must be data, without spaces';
  return undefined;
}

/**
 * The problems of a body as an event stream: parts that WHATWG HTML §9.2.5 does not allow, or that its readers lose.
 * One text for each kind of problem, with the first line that has it; empty: well-formed. `isWhole`: the body came to
 * its end, so the end is judged as well.
 */
export function framingProblems(bytes: Uint8Array, isWhole = true): readonly string[] {
  const problems = new Map<string, string>();
  let text: string;
  try {
    // A body that was cut may end within a character.
    text = isWhole ? utf8.decode(bytes) : new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    problems.set('utf-8', 'the stream is not UTF-8');
    text = lenient.decode(bytes);
  }
  const lines = text.split(/\r\n|\n|\r/);
  // After the last line end there is an empty rest.
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
