import type { CheckResult, Finding } from '../src/report/index.js';
import { jsonText } from './json-text.js';

// Limits of commands and findings in a JSON report. Ids of the agent are in them, so the agent chooses their length.

/** Characters of JSON for the commands of all checks, and for the scripts and cases of all findings. */
const roomForCommands = 1_500_000;
const roomForFindings = 2_000_000;
/** Characters. Shorter ones are always kept. */
const short = 4000;

const lengthOf = (value: unknown): number => jsonText(value ?? null).length;

const leftOut = (length: number): string => `# left out to keep the report small (${length} characters)`;

/** Keeps the commands of checks, in order, while there is room. After that a note replaces each long one. */
export function commandsWithin(): (check: CheckResult) => CheckResult {
  let left = roomForCommands;
  return (check) => {
    const { curl } = check;
    if (curl === undefined || curl.length <= short) return check;
    left -= lengthOf(curl);
    return left >= 0 ? check : { ...check, curl: leftOut(curl.length) };
  };
}

/** The same for the script and the case of findings. A stored report may have any value in their place. */
export function findingsWithin(): (finding: Finding) => Finding {
  let left = roomForFindings;
  return (finding) => {
    const length = lengthOf([finding?.script, finding?.replay]);
    left -= length;
    if (left >= 0 || length <= short) return finding;
    return { ...finding, script: leftOut(length), replay: { leftOut: leftOut(length) } };
  };
}
