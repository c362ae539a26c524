import { flag, type Options, ofOneRun, text, texts } from './option.js';

/** How a run is shown; `report` and `merge` take them too. */
export const report = {
  report: texts(
    '<format[=file]>',
    'console, json, ndjson, junit, html, sarif, markdown, ctrf, tap, har, trace or badge',
    { usual: 'console', places: ofOneRun, deed: 'writes files' },
  ),
  json: flag('the JSON report on stdout, and nothing else there', { places: ofOneRun }),
  'badge-link': text('<url>', 'where the badge leads: an https URL', { pattern: '^https://', places: ofOneRun }),
  strict: flag('a failed SHOULD fails the gate too', {
    api: 'strict',
    action: { input: 'strict', about: 'A failed SHOULD fails the gate too', usual: 'false' },
  }),
  verbose: flag('every check, and every reason', { places: ofOneRun }),
} satisfies Options;
