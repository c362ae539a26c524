import { jsonExchange } from '../../../reporters/json-exchange.js';
import { gateText } from '../../../reporters/wording.js';
import { runTarget } from '../../isolation/index.js';
import { isLoopback, type Level, TckError } from '../../model/index.js';
import type { CheckResult, Report } from '../../report/index.js';
import { type Exchange, parseTargetUrl, plural, printable, seconds } from '../../wire/index.js';
import { namedDialect } from '../named.js';
import { sentence } from '../renderer.js';
import { type Allowed, type Answer, foreignData, foreignText, notice, type Tool, type ToolContext } from './tool.js';

interface RunInput {
  readonly url: string;
  readonly profile?: string;
  readonly suites?: readonly string[];
  readonly checks?: readonly string[];
  readonly level?: Level;
  readonly strict?: boolean;
  readonly readOnly?: boolean;
  readonly maxRequests?: number;
  readonly maxSeconds?: number;
  readonly maxFailures?: number;
}

const usual = { maxRequests: 2000, maxSeconds: 50, maxFailures: 10 };
const patterns = { type: 'array', maxItems: 100, items: { type: 'string', minLength: 1, maxLength: 120 } };

const inputSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['url'],
  properties: {
    url: { type: 'string', minLength: 1, maxLength: 2000, description: 'base, card or endpoint URL of the agent' },
    profile: { type: 'string', maxLength: 60, description: 'which version; default auto: it is detected' },
    suites: { ...patterns, description: 'only these suites; * stands for anything' },
    checks: { ...patterns, description: 'only these checks, such as task/* or message/context-id-kept' },
    level: { enum: ['must', 'should', 'may'], description: 'lowest level to judge; default may: all' },
    strict: { type: 'boolean', description: 'a failed SHOULD counts too' },
    readOnly: { type: 'boolean', description: 'send nothing that creates a task or changes one' },
    maxRequests: { type: 'integer', minimum: 1, maximum: 20_000, description: `default ${usual.maxRequests}` },
    maxSeconds: { type: 'integer', minimum: 1, maximum: 900, description: `default ${usual.maxSeconds}` },
    maxFailures: {
      type: 'integer',
      minimum: 1,
      maximum: 50,
      description: `how many failures the answer has; default ${usual.maxFailures}`,
    },
  },
} as const;

/** Throws `TckError('usage')` for an agent that the user has not allowed. Returns the headers for it. */
function headersFor(text: string, { origins, headers }: Allowed): Allowed['headers'] {
  const url = parseTargetUrl(text);
  if (origins.includes(url.origin)) return headers;
  if (isLoopback(url.hostname) || origins.includes('*')) return [];
  throw new TckError(
    'usage',
    `this server may not test ${printable(url.origin, 200)}: it is not on this machine`,
    'only the user can allow it, where the server is started: a2a-tck mcp --origin <origin>',
  );
}

/** How much of an exchange an answer shows: a model reads it, and each byte costs. */
const sizes = { body: 1000, headers: 500, text: 500 };
const mostCauses = 10;

const levels: readonly Level[] = ['must', 'should', 'may'];

const failuresOf = ({ checks }: Report): readonly CheckResult[] =>
  checks
    .filter(({ verdict }) => verdict === 'fail')
    .sort((first, second) => levels.indexOf(first.level) - levels.indexOf(second.level));

/** The sentences of a check; a result of another interface is found by the same ids. */
const sentencesOf = ({ target: { profile } }: Report, { requirements }: CheckResult) =>
  requirements.map((id) => ({ id, ...sentence(profile, id) }));

function shownExchange(exchange: Exchange | undefined): object {
  if (exchange === undefined) return {};
  const { request: sent, response, error } = jsonExchange(exchange, sizes);
  const came = response ?? error;
  return { sent, ...(came === undefined ? {} : { came }) };
}

function failureData(report: Report, check: CheckResult): object {
  const { id, level, title, reason, expected, actual, exhibit, exchanges, curl, advice, cause } = check;
  const shown = exhibit ?? exchanges.at(-1);
  const exchange = report.exchanges.find((exchange) => exchange.id === shown);
  return {
    id,
    level,
    title,
    sentences: sentencesOf(report, check),
    ...(cause === undefined ? {} : { cause }),
    foreign: foreignData({ reason, expected, actual, advice, ...shownExchange(exchange), curl }),
  };
}

function headText(report: Report): string {
  const { target, run, summary, gate } = report;
  const counts = levels.map((level) => {
    const { pass, fail, inconclusive, error } = summary[level];
    const failed = level === 'may' ? '' : `, ${fail} fail`;
    return `${level.toUpperCase()}: ${pass} pass${failed}, ${inconclusive} inconclusive${error === 0 ? '' : `, ${error} error of the kit`}`;
  });
  return [
    `${gateText(report).word} (exit code ${gate.exitCode}) as ${target.profile}; ${plural(run.requests, 'request')}, ${seconds(run.durationMs)}, seed ${run.seed}`,
    ...counts,
    ...(run.cut === undefined
      ? []
      : ['The run ended early, so checks are inconclusive that were not judged: give it more time or requests.']),
    ...(gate.exitCode === 4 ? ['UNPROVEN: nothing failed, but too little was shown. This is not a success.'] : []),
  ].join('\n');
}

function answerOf(report: Report, mostFailures: number): Answer {
  const failures = failuresOf(report);
  const shown = failures.slice(0, mostFailures);
  const leftOut = failures.length - shown.length;
  const causes = (report.causes ?? []).slice(0, mostCauses);
  const { kit, target, run, gate, summary } = report;
  const lines = shown.map((check) => {
    const [first] = sentencesOf(report, check);
    const said = first === undefined ? check.title : `${first.id}: ${first.statement ?? check.title}`;
    return `- ${check.level.toUpperCase()} ${check.id}, ${said}`;
  });
  const foreign = [
    ...gate.reasons,
    ...(run.cut === undefined ? [] : [`ended early: ${run.cut}`]),
    // Advice may name the place that a redirect leads to.
    ...causes.map(({ id, fact, advice }) => `cause ${id}: ${fact}; ${advice}`),
    ...shown.map(({ id, reason }) => `${id}: ${reason}`),
  ];
  const text = [
    headText(report),
    ...(lines.length === 0 ? [] : ['', 'Failures; the tool explain says what each check wants:', ...lines]),
    ...(leftOut === 0 ? [] : [`and ${plural(leftOut, 'more failure')}: choose suites, or set maxFailures`]),
    ...(foreign.length === 0 ? [] : ['', foreignText(foreign)]),
  ].join('\n');
  return {
    text,
    data: {
      notice,
      kit,
      profile: target.profile,
      verdict: gate.verdict,
      exitCode: gate.exitCode,
      requests: run.requests,
      durationMs: run.durationMs,
      seed: run.seed,
      endedEarly: run.cut !== undefined,
      summary,
      failures: shown.map((check) => failureData(report, check)),
      leftOut,
      causes: causes.map(({ id, advice, checks, fact, curl }) => ({
        id,
        keeps: checks.length,
        foreign: foreignData({ fact, advice, curl }),
      })),
      foreign: foreignData({
        agent: target.agent,
        endpoint: target.endpoint,
        reasons: gate.reasons,
        detection: target.detection.slice(0, 20),
      }),
    },
  };
}

/** Judges an agent. One run at a time: two would slow each other, and the agent. */
export function runTool(allowed: Allowed): Tool {
  let isRunning = false;
  async function call(input: RunInput, { signal, progress }: ToolContext): Promise<Answer> {
    const { url, maxRequests, maxSeconds, maxFailures, ...chosen } = { ...usual, ...input };
    const headers = headersFor(url, allowed);
    namedDialect(chosen.profile);
    if (isRunning)
      throw new TckError('usage', 'another run is going on', 'wait for its answer, or cancel it; one runs at a time');
    isRunning = true;
    let judged = 0;
    let total: number | undefined;
    try {
      const report = await runTarget({
        ...chosen,
        url,
        headers,
        budget: { requests: maxRequests },
        maxTimeMs: maxSeconds * 1000,
        signal,
        onEvent: (event) => {
          if (event.type === 'target.detected') total = event.checks;
          if (event.type === 'check.judged') progress(++judged, total);
        },
      });
      return answerOf(report, maxFailures);
    } finally {
      isRunning = false;
    }
  }
  return {
    name: 'run',
    title: 'Test an agent',
    description:
      'Runs the conformance checks on an A2A agent over HTTP and reports each failure: check, level, sentence of the specification, what was sent, what came, a curl line. It creates tasks on the agent. Only agents on this machine, and origins that the user has allowed.',
    inputSchema,
    readsOnly: false,
    call: (input, context) => call(input as RunInput, context),
  };
}
