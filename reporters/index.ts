import { badge } from './badge.js';
import { consoleReporter } from './console.js';
import { ctrf } from './ctrf.js';
import { har } from './har.js';
import { htmlReporter } from './html.js';
import { json } from './json.js';
import { junit } from './junit.js';
import { markdown } from './markdown.js';
import { ndjson } from './ndjson.js';
import type { Reporter } from './reporter.js';
import { sarif } from './sarif.js';
import { tap } from './tap.js';
import { tape } from './tape.js';
import { trace } from './trace.js';

export { badgeState, unjudgedBadge } from './badge/state.js';
export { badgeSvg } from './badge/svg.js';
export { plainPaymentsText } from './console/payments.js';
export { estimateText } from './console.js';
export { isNewFailure } from './groups.js';
export { type JsonReport, jsonReport, jsonReportText, readReport } from './json.js';
export { jsonText } from './json-text.js';
export { unjudgedJunit } from './junit.js';
export { inShell } from './operation.js';
export {
  eventsOf,
  type Rendering,
  type ReportContext,
  type Reporter,
  type ReportFormat,
  type Sentence,
  type Shell,
} from './reporter.js';
export { type JsonTape, readTape } from './tape.js';
export { type ValidationFormat, validationFormats } from './validation/formats.js';
export { validationText } from './validation/index.js';
export { gateWord } from './wording.js';

/** Every format, in the order in which they are listed: who adds one, adds it here and builds. */
export const reporters: readonly Reporter[] = [
  consoleReporter,
  json,
  ndjson,
  junit,
  htmlReporter,
  sarif,
  markdown,
  ctrf,
  tap,
  har,
  trace,
  tape,
  badge,
];
