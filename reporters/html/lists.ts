import type { CheckResult, Report } from '../../src/report/index.js';
import { plural, printable } from '../../src/wire/index.js';
import { readFindings } from '../findings.js';
import {
  causesOf,
  failedAfterSet,
  isOverdue,
  kitErrors,
  known,
  notOffered,
  openByReason,
  overdue,
  type Problem,
  problemsOfCauses,
  troubles,
} from '../groups.js';
import { alikeText } from '../wording.js';
import { causeView, expectationView, findingView, paymentView } from './asides.js';
import { openCheck, quietCheck, type Scene } from './check.js';
import { exchangeLine, exchangeView } from './exchange.js';
import { html, type Markup } from './markup.js';

export interface Part {
  readonly id: string;
  readonly title: string;
  readonly count: number;
  readonly body: Markup;
}

const part = (id: string, title: string, about: string, items: readonly Markup[]): readonly Part[] =>
  items.length === 0
    ? []
    : [
        {
          id,
          title,
          count: items.length,
          body: html`${about === '' ? undefined : html`<p class="about">${about}</p>`}${items}`,
        },
      ];

/** A report that another program wrote may have many rows. */
const mostExpectations = 500;

/** Quiet checks, folded by chapter, and all of them together: the user has not asked for them. */
function byChapter(
  id: string,
  title: string,
  about: string,
  checks: readonly CheckResult[],
  scene: Scene,
): readonly Part[] {
  const suites = [...new Set(checks.map(({ suite }) => suite))];
  const items = suites.map((suite) => {
    const own = checks.filter((check) => check.suite === suite);
    return html`<details class="chapter" data-group><summary><h3>${printable(suite, 80)}</h3> <span class="note">${plural(own.length, 'check')}</span></summary>
${own.map((check) => quietCheck(check, scene))}</details>
`;
  });
  const folded = html`<details class="chapter" data-group><summary><span class="note">${plural(checks.length, 'check')}, by chapter</span></summary>
${items}</details>
`;
  return part(id, title, about, items.length === 0 ? [] : [folded]).map((part) => ({ ...part, count: checks.length }));
}

/** A failed check, and below it those that fail for the same cause, folded. */
const problemView = ({ check, alike }: Problem, scene: Scene): Markup =>
  alike.length === 0
    ? openCheck(check, scene)
    : html`${openCheck(check, scene)}<details class="chapter" data-group><summary><h3>Also</h3> <span class="note">${alikeText(alike.length, true)}</span></summary>
${alike.map((checkResult) => openCheck(checkResult, scene))}</details>
`;

/** Every check is in one list, the worst first. */
function checkParts(report: Report, scene: Scene): readonly Part[] {
  const { checks } = report;
  const isApart = new Set([...overdue(checks), ...kitErrors(checks)]);
  const failed = problemsOfCauses(report).filter(({ check }) => !isApart.has(check));
  const open = (list: readonly CheckResult[]) => list.map((check) => openCheck(check, scene));
  return [
    ...part(
      'failed',
      'Failed',
      '',
      failed.map((problem) => problemView(problem, scene)),
    ).map((part) => ({ ...part, count: troubles(checks).filter((check) => !isApart.has(check)).length })),
    ...part(
      'overdue',
      'Baseline entries to settle',
      'These fail the gate: the check passes now, or the last day is over.',
      open(overdue(checks)),
    ),
    ...part(
      'errors',
      'Errors of the kit',
      'No fault of the agent: please report them.',
      open(kitErrors(checks).filter(({ baseline }) => baseline === undefined)),
    ),
  ];
}

function restParts({ checks }: Report, scene: Scene): readonly Part[] {
  const open = (list: readonly CheckResult[]) => list.map((check) => openCheck(check, scene));
  const inconclusive = openByReason(checks).flatMap(([, group]) => group);
  const passed = checks.filter(({ verdict, baseline }) => verdict === 'pass' && baseline === undefined);
  const none = checks.filter((check) => check.verdict === 'not-applicable' && !isOverdue(check));
  return [
    ...part('known', 'Known failures', 'Listed in the baseline: they do not fail the gate.', open(known(checks))),
    ...part(
      'after-set',
      'Failed, added after the set',
      'Checks that the frozen set of this run does not have: they do not fail the gate.',
      open(failedAfterSet(checks)),
    ),
    ...part('optional', 'Not offered', 'MAY sentences that do not hold: they fail nothing.', open(notOffered(checks))),
    ...part(
      'inconclusive',
      'Inconclusive',
      'These checks apply, but could not be judged: each says what would be needed. None counts as passed.',
      open(inconclusive),
    ),
    ...byChapter('passed', 'Passed', 'Shown to hold.', passed, scene),
    ...byChapter('not-applicable', 'Not applicable', 'The agent does not claim it.', none, scene),
  ];
}

/** The exchanges that the lists above link to, each once, as long as there is room. */
function exchangePart({ exchanges, wanted, allowance }: Scene): readonly Part[] {
  const items = [...wanted].flatMap((id) => {
    const exchange = exchanges.get(id);
    if (exchange === undefined) return [];
    const view =
      exchangeView(exchange, allowance) ??
      html`<p class="note">The page has no room for it; it is in the JSON report.</p>`;
    return [
      html`<details class="check quiet"><summary><code>${id}</code> ${exchangeLine(exchange)}</summary><div class="inside" id="${id}">${view}</div></details>
`,
    ];
  });
  return part('exchanges', 'Exchanges', 'Requests and answers of the checks that did not pass.', items);
}

export function partsOf(report: Report, scene: Scene): readonly Part[] {
  const { findings, expectations = [], payments = [] } = report;
  const checks = checkParts(report, scene);
  const found = readFindings(findings).map((finding) => findingView(finding, scene));
  const rest = restParts(report, scene);
  const causes = causesOf(report).map((cause) => causeView(cause, scene));
  return [
    ...part('causes', 'Causes', 'Facts about the whole agent that kept checks from being judged.', causes),
    ...checks,
    ...part(
      'expectations',
      'Your expectations',
      'They count for the gate, and for no share of what was proven.',
      expectations.slice(0, mostExpectations).map((expectation) => expectationView(expectation, scene)),
    ).map((part) => ({ ...part, count: expectations.length })),
    ...part('findings', 'Findings of the fuzzer', '', found),
    ...part(
      'payments',
      'Payments',
      '',
      payments.length === 0 ? [] : [html`<ul>${payments.slice(0, 200).map(paymentView)}</ul>`],
    ),
    ...rest,
    ...exchangePart(scene),
  ];
}
