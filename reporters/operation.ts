import type { CheckResult, Report } from '../src/report/index.js';
import { bodyText, canParseUrl, curlOf, powershellOf, printable } from '../src/wire/index.js';
import type { Shell } from './reporter.js';

type Exchange = Report['exchanges'][number];

const largest = 64 * 1024;

/** The JSON-RPC method of a request; undefined when it has none, or none that can be read. */
function rpcMethod({ body }: Exchange['request']): string | undefined {
  if (body === undefined || body.length > largest) return undefined;
  try {
    const parsed: unknown = JSON.parse(bodyText(body));
    const method = typeof parsed === 'object' && parsed !== null && 'method' in parsed ? parsed.method : undefined;
    return typeof method === 'string' && method !== '' ? printable(method, 80) : undefined;
  } catch {
    return undefined;
  }
}

const pathOf = (url: string): string => printable(canParseUrl(url) ? new URL(url).pathname : url, 200);

/** What a request asked for, in a few words: `SendMessage`, or `GET /.well-known/agent-card.json`. Printable. */
export const operationOf = ({ request }: Exchange): string =>
  rpcMethod(request) ?? `${printable(request.method, 20)} ${pathOf(request.url)}`;

export type Exchanges = ReadonlyMap<string, Exchange>;

export const exchangesById = ({ exchanges }: Report): Exchanges =>
  new Map(exchanges.map((exchange) => [exchange.id, exchange]));

/** The exchange that shows a verdict. In older reports: the one that its curl line repeats, else its last. */
export function exhibitOf({ exchanges: ids, exhibit, curl }: CheckResult, exchanges: Exchanges): Exchange | undefined {
  const named = exhibit === undefined ? undefined : exchanges.get(exhibit);
  if (named !== undefined) return named;
  const own = ids.slice(0, 200).flatMap((id) => exchanges.get(id) ?? []);
  const repeated = curl === undefined ? undefined : own.find((exchange) => curlOf(exchange) === curl);
  return repeated ?? own.at(-1);
}

/** The line that sends the request of an exchange again; undefined where the report has only its beginning. */
export const lineOf = (exchange: Exchange, shell?: Shell): string | undefined => {
  if (exchange.request.cut === true) return undefined;
  return shell === 'powershell' ? powershellOf(exchange) : curlOf(exchange);
};

/** The report with the lines of its requests for this shell. Lines that are not a request of it stay unchanged. */
export function inShell(report: Report, shell: Shell): Report {
  const exchanges = exchangesById(report);
  const found = (ids: readonly string[], curl: string | undefined) =>
    curl === undefined
      ? undefined
      : ids.flatMap((id) => exchanges.get(id) ?? []).find((exchange) => lineOf(exchange) === curl);
  const checks = report.checks.map((check) => {
    const shown = found(check.exhibit === undefined ? check.exchanges : [check.exhibit], check.curl);
    return shown === undefined ? check : { ...check, exhibit: shown.id, curl: lineOf(shown, shell) ?? '' };
  });
  const causes = report.causes?.map((cause) => {
    const shown = found(cause.exchanges, cause.curl);
    return shown === undefined ? cause : { ...cause, curl: lineOf(shown, shell) ?? '' };
  });
  return { ...report, checks, ...(causes === undefined ? {} : { causes }) };
}
