// Made by scripts/generate.js from the list in reporters/index.ts. Do not edit.

/** The names of all formats, in the order in which they are listed. */
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
