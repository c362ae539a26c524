import { actionWith } from './action.js';
import { optionsPage, reportsPageWith } from './page.js';
import { configSchema, fleetSchema } from './schemas.js';

/** JSON as people format it: lists of words stay on a line. */
function jsonOf(value: object): string {
  const text = JSON.stringify(value, null, 2);
  const lists = /\[\n\s+("[^"]*"(?:,\n\s+"[^"]*")*)\n\s+\]/g;
  return `${text.replace(lists, (_, words: string) => `[${words.replace(/,\n\s+/g, ', ')}]`)}\n`;
}

/** The files that come from the tables, with their texts; `read` gives the current text of a file by its path. */
export const madeFiles = (read: (path: string) => string): ReadonlyMap<string, string> =>
  new Map([
    ['schemas/kit/config.schema.json', jsonOf(configSchema())],
    ['schemas/kit/fleet.schema.json', jsonOf(fleetSchema())],
    ['docs/options.md', optionsPage()],
    ['docs/reports.md', reportsPageWith(read('docs/reports.md'))],
    ['action.yml', actionWith(read('action.yml'))],
  ]);
