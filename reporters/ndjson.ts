import type { RunEvent } from '../src/run/index.js';
import { jsonReport } from './json.js';
import { jsonExchange } from './json-exchange.js';
import { jsonText } from './json-text.js';
import type { Reporter } from './reporter.js';

/** The exchanges and the checks have gone by already: the last line need not repeat them. */
function line(event: RunEvent): object {
  if (event.type === 'exchange') return { ...event, exchange: jsonExchange(event.exchange) };
  if (event.type !== 'run.ended') return event;
  const { exchanges: _, checks: __, ...report } = jsonReport(event.report);
  return { type: event.type, report };
}

export const ndjson: Reporter = {
  id: 'ndjson',
  about: 'what happens while it happens, one JSON event a line',
  begin: () => ({ on: (event) => `${jsonText(line(event))}\n` }),
};
