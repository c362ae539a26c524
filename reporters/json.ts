import { asOffer, type Report, tally } from '../src/report/index.js';
import { exchangeOf, type JsonExchange, jsonExchanges } from './json-exchange.js';
import { commandsWithin, findingsWithin } from './json-limits.js';
import { jsonPieces } from './json-text.js';
import { fromReport, type Reporter } from './reporter.js';

export const reportSchema = 'a2a-tck-report/1';

/** `schemas/kit/report.schema.json`. */
export interface JsonReport extends Omit<Report, 'exchanges'> {
  readonly schema: typeof reportSchema;
  readonly exchanges: readonly JsonExchange[];
}

function withoutExchanges(report: Report): Omit<JsonReport, 'exchanges'> {
  const { kit, target, run, gate, causes, summary, fuzz, expectations, latency, payments } = report;
  const checks = report.checks.map(commandsWithin());
  const findings = report.findings.map(findingsWithin());
  return {
    schema: reportSchema,
    kit,
    target,
    run,
    gate,
    ...(causes === undefined ? {} : { causes }),
    summary,
    checks,
    findings,
    ...(fuzz === undefined ? {} : { fuzz }),
    ...(expectations === undefined ? {} : { expectations }),
    ...(latency === undefined ? {} : { latency }),
    ...(payments === undefined ? {} : { payments }),
  };
}

export const jsonReport = (report: Report): JsonReport => ({
  ...withoutExchanges(report),
  exchanges: report.exchanges.map(jsonExchanges()),
});

/** The report from which `jsonReport` was made; bodies that were cut stay cut. The document must fit the schema. */
export function readReport({ schema: _, exchanges, ...rest }: JsonReport): Report {
  // Older reports call a MAY that does not hold a failure.
  const checks = rest.checks.map(asOffer);
  return { ...rest, checks, summary: tally(checks), exchanges: exchanges.map(exchangeOf) };
}

/** The exchanges, one after the other, so that memory holds a single exchange. */
function* inTurn(exchanges: Report['exchanges']): Generator<JsonExchange, void, undefined> {
  const json = jsonExchanges();
  for (const exchange of exchanges) yield json(exchange);
}

function* pieces(report: Report): Generator<string, void, undefined> {
  yield* jsonPieces(withoutExchanges(report), ['exchanges', inTurn(report.exchanges)], 2);
  yield '\n';
}

/** The text of the report file, byte by byte. */
export const jsonReportText = (report: Report): string => [...pieces(report)].join('');

export const json: Reporter = {
  id: 'json',
  readers:
    'programs: the whole run, [schema](https://github.com/a2a-tck/a2a-tck/blob/main/schemas/kit/report.schema.json)',
  begin: fromReport(pieces),
};
