import type { CheckResult, Finding } from '../src/run/index.js';
import { jsonText } from './json-text.js';

// An agent chooses how long the requests are that show what it does: its ids are in them. All that repeats them in one
// document stays bounded.

/** Characters of JSON for the commands of all checks, and for what repeats all findings. */
const roomForCommands = 1_500_000;
const roomForFindings = 2_000_000;
/** Shorter ones are shown wherever they stand. */
const short = 4000;

const lengthOf = (value: unknown): number => jsonText(value ?? null).length;

const leftOut = (length: number): string => `# left out to keep the report small (${length} characters)`;

/** Checks in order, their commands for as long as there is room; a long one after that says why it is not there. */
export function commandsWithin(): (check: CheckResult) => CheckResult {
  let left = roomForCommands;
  return (check) => {
    const { curl } = check;
    if (curl === undefined || curl.length <= short) return check;
    left -= lengthOf(curl);
    return left >= 0 ? check : { ...check, curl: leftOut(curl.length) };
  };
}

/** The same for the script and the case of findings. */
export function findingsWithin(): (finding: Finding) => Finding {
  let left = roomForFindings;
  return (finding) => {
    const length = lengthOf([finding?.script, finding?.replay]);
    left -= length;
    if (left >= 0 || length <= short) return finding;
    return { ...finding, script: leftOut(length), replay: { leftOut: leftOut(length) } };
  };
}
