import { consoleReporter } from './console.js';
import { json } from './json.js';
import { junit } from './junit.js';
import { ndjson } from './ndjson.js';
import type { Reporter } from './reporter.js';

export { type JsonReport, jsonReport, readReport, reportSchema } from './json.js';
export {
  eventsOf,
  type Rendering,
  type ReportContext,
  type Reporter,
  type ReportFormat,
  type Sentence,
} from './reporter.js';

/** Every format, in the order in which they are listed. */
export const reporters: readonly Reporter[] = [consoleReporter, json, ndjson, junit];
