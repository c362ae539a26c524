import { actionWith } from './action.js';
import { optionsPage } from './page.js';
import { configSchema, fleetSchema } from './schemas.js';

/** JSON as people format it: lists of words stay on a line. */
function jsonOf(value: object): string {
  const text = JSON.stringify(value, null, 2);
  const lists = /\[\n\s+("[^"]*"(?:,\n\s+"[^"]*")*)\n\s+\]/g;
  return `${text.replace(lists, (_, words: string) => `[${words.replace(/,\n\s+/g, ', ')}]`)}\n`;
}

/** The files that come from the table, with their texts; `action` is the current text of action.yml. */
export const madeFiles = (action: string): ReadonlyMap<string, string> =>
  new Map([
    ['schemas/kit/config.schema.json', jsonOf(configSchema())],
    ['schemas/kit/fleet.schema.json', jsonOf(fleetSchema())],
    ['docs/options.md', optionsPage()],
    ['action.yml', actionWith(action)],
  ]);
