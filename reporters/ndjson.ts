import type { RunEvent } from '../src/report/index.js';
import { jsonReport } from './json.js';
import { jsonExchanges } from './json-exchange.js';
import { commandsWithin, findingsWithin } from './json-limits.js';
import { jsonText } from './json-text.js';
import type { Reporter } from './reporter.js';

type Line = (event: RunEvent) => object;

/** Exchanges and checks have had their own lines: the last line need not repeat them. */
function lines(): Line {
  const [exchangeOf, checkOf, findingOf] = [jsonExchanges(), commandsWithin(), findingsWithin()];
  return (event) => {
    if (event.type === 'exchange') return { ...event, exchange: exchangeOf(event.exchange) };
    if (event.type === 'check.judged') return { ...event, result: checkOf(event.result) };
    if (event.type === 'finding') return { ...event, finding: findingOf(event.finding) };
    if (event.type !== 'run.ended') return event;
    const { exchanges: _, checks: __, ...report } = jsonReport({ ...event.report, exchanges: [], checks: [] });
    return { type: event.type, report };
  };
}

export const ndjson: Reporter = {
  id: 'ndjson',
  readers: 'programs that follow a run as it goes',
  begin() {
    const line = lines();
    return { on: (event) => `${jsonText(line(event))}\n` };
  },
};
