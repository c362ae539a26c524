import type { JsonReport } from '../../reporters/index.js';
import type { Requirement } from '../ledger/index.js';
import type { CheckResult } from '../report/index.js';
import { type Outcome, resultsOf, type StoredRun } from './judge.js';
import { idsOf, nameOf } from './manifest.js';
import { rowsById } from './sentences.js';

export const tableSchema = 'a2a-tck-targets/1';

export type CellVerdict = 'pass' | 'fail' | 'not-shown' | 'not-claimed';

export interface CellCheck {
  readonly id: string;
  readonly verdict: CheckResult['verdict'];
  /** Why, of what did not pass. */
  readonly reason?: string;
  /** Of a failure: whether a person has judged it. */
  readonly judged?: 'true' | 'unclear' | 'not-yet';
}

/** What a target does about a sentence, over all its bindings. */
export interface Cell {
  readonly verdict: CellVerdict;
  readonly checks: readonly CellCheck[];
  /** The exchange that shows it: a member of `exchanges`. */
  readonly exchange?: string;
}

export interface TableRow {
  readonly key: string;
  readonly chapter: string;
  readonly level: CheckResult['level'];
  readonly section: string;
  readonly sentence: string;
  /** By id of target; left out where the version of the target has no such sentence. */
  readonly cells: Readonly<Record<string, Cell>>;
}

export interface Column {
  readonly id: string;
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly role: 'server' | 'client';
  readonly language: string;
  readonly licence: string;
  readonly state: Outcome['state'];
  readonly reason?: string;
  readonly profiles: readonly string[];
  /** Numbers of checks, over all bindings. */
  readonly counts?: Readonly<Record<'pass' | 'fail' | 'inconclusive' | 'notApplicable' | 'notOffered', number>>;
  readonly at?: string;
  readonly seconds?: number;
}

export interface ShownExchange {
  readonly request: string;
  readonly answer: string;
}

/** `targets/table.schema.json`. */
export interface Table {
  readonly schema: typeof tableSchema;
  readonly kit: { readonly name: string; readonly version: string };
  readonly madeAt: string;
  readonly targets: readonly Column[];
  readonly rows: readonly TableRow[];
  readonly exchanges: Readonly<Record<string, ShownExchange>>;
}

const cellVerdict = (results: readonly CheckResult[]): CellVerdict => {
  const has = (...verdicts: CheckResult['verdict'][]) => results.some(({ verdict }) => verdicts.includes(verdict));
  if (has('fail')) return 'fail';
  if (has('pass')) return 'pass';
  return has('inconclusive', 'error') ? 'not-shown' : 'not-claimed';
};

type Exchange = JsonReport['exchanges'][number];
type Body = Exchange['request'] | NonNullable<Exchange['response']>;

/** Characters of a body of a failure, and of anything else. */
const long = 3000;
const short = 300;

const bodyOf = ({ body = '', bodyEncoding }: Body, most: number): string => {
  const cut = body.length > most ? `${body.slice(0, most)} …` : body;
  return bodyEncoding === undefined ? cut : `(base64) ${cut}`;
};

/** Headers that say nothing of the protocol. */
const usual = /^(date|content-length|connection|keep-alive|host|user-agent|accept-encoding|transfer-encoding)$/i;

function shown({ request, response, error }: Exchange, most: number): ShownExchange {
  const lines = (headers: readonly (readonly [string, string])[]) =>
    headers.filter(([name]) => !usual.test(name)).map(([name, value]) => `${name}: ${value.slice(0, 300)}`);
  const whole = (first: string, headers: readonly string[], body: string) =>
    [first, ...(most === long ? headers : []), ...(body === '' ? [] : ['', body])].join('\n');
  const failed = error === undefined ? 'nothing came' : `${error.kind}: ${error.detail}`;
  return {
    request: whole(`${request.method} ${request.url}`, lines(request.headers), bodyOf(request, most)),
    answer:
      response === undefined
        ? failed
        : whole(
            `HTTP ${response.status}`,
            [...lines(response.headers), ...lines(response.trailers ?? []).map((line) => `(trailer) ${line}`)],
            bodyOf(response, most),
          ),
  };
}

const countsOf = (results: readonly CheckResult[]): NonNullable<Column['counts']> => {
  const of = (verdict: CheckResult['verdict']) => results.filter((result) => result.verdict === verdict).length;
  return {
    pass: of('pass'),
    fail: of('fail'),
    inconclusive: of('inconclusive'),
    notApplicable: of('not-applicable'),
    notOffered: of('not-offered'),
  };
};

function columnOf({ target: { manifest }, state, reason, run }: Outcome): Column {
  const { id, package: name, version, role, language, licence, profiles } = manifest;
  return {
    id,
    name: nameOf(manifest),
    package: name,
    version,
    role,
    language,
    licence,
    state,
    ...(reason === undefined ? {} : { reason }),
    profiles,
    ...(run === undefined
      ? {}
      : { counts: countsOf(resultsOf(run)), at: run.at, seconds: Math.round(run.seconds * 10) / 10 }),
  };
}

/** The exchange that shows a result, and the report that has it. */
function exchangeOf(run: StoredRun, { id, exhibit, exchanges }: CheckResult): Exchange | undefined {
  const wanted = exhibit ?? exchanges.at(-1);
  const own = run.reports.length === 1 ? 0 : run.reports.findIndex(({ target }) => id.endsWith(`@${target.profile}`));
  return run.reports[Math.max(own, 0)]?.exchanges.find((exchange) => exchange.id === wanted);
}

const rowOf = (
  key: string,
  { level, section, statement }: Requirement,
  { id }: Pick<CheckResult, 'id'>,
): Omit<TableRow, 'cells'> => ({ key, chapter: id.split('/')[0] ?? '', level, section, sentence: statement });

/** Rows are sentences by chapter, columns are targets. */
export function tableOf(outcomes: readonly Outcome[], kit: Table['kit'], madeAt: string): Table {
  const sentences = rowsById();
  const order = new Map([...sentences.keys()].map((id, at) => [id, at]));
  const rank = (id: string): number => order.get(id) ?? Number.POSITIVE_INFINITY;
  const ranks = new Map<string, number>();
  const rows = new Map<string, { row: Omit<TableRow, 'cells'>; readonly cells: Map<string, CheckResult[]> }>();
  for (const { target, run } of outcomes) {
    if (run === undefined) continue;
    for (const result of resultsOf(run))
      for (const id of result.requirements) {
        const sentence = sentences.get(id);
        if (sentence === undefined) continue;
        const key = sentence.key ?? id;
        const known = rows.get(key) ?? { cells: new Map<string, CheckResult[]>(), row: rowOf(key, sentence, result) };
        // The words of the newest version stand for all.
        if (rank(id) < (ranks.get(key) ?? Number.POSITIVE_INFINITY)) {
          ranks.set(key, rank(id));
          known.row = rowOf(key, sentence, result);
        }
        rows.set(key, known);
        const cell = known.cells.get(target.manifest.id) ?? [];
        known.cells.set(target.manifest.id, [...cell, result]);
      }
  }
  const exchanges: Record<string, ShownExchange> = {};
  const byId = new Map(outcomes.map((outcome) => [outcome.target.manifest.id, outcome]));
  const judgedOf = ({ target }: Outcome): ReadonlyMap<string, 'true' | 'unclear'> =>
    new Map(
      target.expected.failures.flatMap((failure) =>
        idsOf(failure, target.manifest.profiles).map(
          (id) => [id, failure.judged === true ? 'true' : 'unclear'] as const,
        ),
      ),
    );
  const judged = new Map(outcomes.map((outcome) => [outcome.target.manifest.id, judgedOf(outcome)]));
  const cellOf = (id: string, results: readonly CheckResult[]): Cell => {
    const verdict = cellVerdict(results);
    const shower = results.find((result) => result.verdict === verdict) ?? results[0];
    const run = byId.get(id)?.run;
    const exchange = run === undefined || shower === undefined ? undefined : exchangeOf(run, shower);
    const name = exchange === undefined ? undefined : `${id}:${shower?.id.split('@')[1] ?? ''}:${exchange.id}`;
    // An exchange that shows a failure as well keeps its length.
    if (name !== undefined && exchange !== undefined && (verdict === 'fail' || exchanges[name] === undefined))
      exchanges[name] = shown(exchange, verdict === 'fail' ? long : short);
    return {
      verdict,
      checks: results.map((result) => ({
        id: result.id,
        verdict: result.verdict,
        ...(result.verdict === 'pass' ? {} : { reason: result.reason.slice(0, 300) }),
        ...(result.verdict === 'fail' ? { judged: judged.get(id)?.get(result.id) ?? ('not-yet' as const) } : {}),
      })),
      ...(name === undefined ? {} : { exchange: name }),
    };
  };
  return {
    schema: tableSchema,
    kit,
    madeAt,
    targets: outcomes.map(columnOf),
    rows: [...rows.values()].map(({ row, cells }) => ({
      ...row,
      cells: Object.fromEntries([...cells].map(([id, results]) => [id, cellOf(id, results)])),
    })),
    exchanges,
  };
}
