/**
 * Every format of a report, in the order in which they are listed. Names only: the command line checks them before it
 * loads any.
 */
export const reportFormats = [
  'console',
  'json',
  'ndjson',
  'junit',
  'html',
  'sarif',
  'markdown',
  'ctrf',
  'tap',
  'har',
  'trace',
  'tape',
  'badge',
] as const;
export type ReportFormat = (typeof reportFormats)[number];
