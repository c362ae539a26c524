import type { Cause, ExpectationResult, PaymentReport } from '../../src/report/index.js';
import { plural, printable } from '../../src/wire/index.js';
import { confirmationOf, isConfirmed, rankOf, type ShownFinding } from '../findings.js';
import { effectsOf, expectationCount, expectationName } from '../wording.js';
import { command, exchangeList, row, type Scene, sentenceView } from './check.js';
import { html, type Markup } from './markup.js';

const signed = (finding: ShownFinding): Markup =>
  isConfirmed(finding)
    ? html`<span class="badge fail"><span aria-hidden="true">✗</span> finding</span>`
    : html`<span class="badge inconclusive"><span aria-hidden="true">?</span> not confirmed</span>`;

/** A cause: the fact, what to do, the request that shows it. */
export function causeView(cause: Cause, scene: Scene): Markup {
  const { id, fact, advice, exchanges, curl } = cause;
  return html`<details class="check" data-verdict="inconclusive" data-level="must">
<summary><h3><span class="badge inconclusive"><span aria-hidden="true">?</span> cause</span> <code>${printable(id, 100)}</code></h3><span class="reason">${printable(fact, 600)}</span></summary>
<div class="inside"><dl>${row('Problem', printable(fact, 2000))}${row('Fix', printable(advice, 2000))}${effectsOf(cause).map(([name, text]) => row(name, text))}
${curl === undefined ? undefined : row('Reproduce', command(`Command that shows the cause ${printable(id, 100)}`, curl))}${row('Exchanges', exchangeList(exchanges, true, scene))}</dl></div></details>
`;
}

/** A finding of the fuzzer, and the script that reproduces it. */
export function findingView(finding: ShownFinding, scene: Scene): Markup {
  const { profile, context, allowance } = scene;
  const { id, title, detail, level, oracle, requirements, steps, seed, script } = finding;
  const sentences = requirements.slice(0, 30).map((requirement) => {
    const found = context.sentence(profile, requirement);
    const where = printable(found === undefined ? requirement : `${requirement}, ${found.section}`, 400);
    return html`<p><span class="where">${where}</span>${found === undefined ? undefined : html`: ${sentenceView(found.statement)}`}</p>`;
  });
  const known = [plural(steps, 'request'), `seed ${seed}`, `case ${finding.case}`];
  const kept =
    allowance.left > 0
      ? command(`Script of the finding ${id}`, script)
      : 'The page has no room for it; it is in the JSON report.';
  const view = html`<details class="check" data-verdict="finding" data-level="${level}">
<summary><h3>${signed(finding)} <span class="level">${rankOf(finding)}</span> <code>${printable(id, 200)}</code></h3><span class="reason">${printable(title, 400)}</span></summary>
<div class="inside"><dl>${row('Problem', printable(title))}${row('Detail', printable(detail, 4000))}${row('Judged by', printable(oracle, 300))}
${row('Sentence', html`${sentences}`)}${row('Confirmed', `${confirmationOf(finding)}, ${known.join(', ')}`)}
${script === '' ? undefined : row('Reproduce', kept)}${row('Exchanges', exchangeList(finding.exchanges, true, scene))}</dl></div></details>
`;
  allowance.left -= view.text.length;
  return view;
}

const signs = { pass: '✓', fail: '✗', inconclusive: '?' } as const;

/** What the user expects, beside what came. */
export function expectationView(expectationResult: ExpectationResult, scene: Scene): Markup {
  const { verdict, reason, expected, actual, exchanges } = expectationResult;
  const list = expected.slice(0, 100).map((line) => html`<p>${printable(line, 2000)}</p>`);
  return html`<details class="check" data-verdict="${verdict}">
<summary><h3><span class="badge ${verdict}"><span aria-hidden="true">${signs[verdict]}</span> ${verdict}</span> ${printable(expectationName(expectationResult), 240)}</h3><span class="reason">${printable(`${reason}${expectationCount(expectationResult)}`, 600)}</span></summary>
<div class="inside"><dl>${row('Expected', html`${list}`)}${row('Actual', printable(actual, 2000))}${row('Exchanges', exchangeList(exchanges, verdict !== 'pass', scene))}</dl></div></details>
`;
}

const fates = {
  outstanding: 'can still be cashed: signed with your key, and no receipt has come',
  receipted: 'signed with your key; the agent gave a receipt, and the kit has not looked it up on the chain',
  planned: 'would have been signed',
} as const;

export const paymentView = (payment: PaymentReport): Markup => {
  const { state, amount, asset, network, payTo, nonce, expires, signature } = payment;
  return html`<li><strong>${printable(amount, 100)} of ${printable(asset, 200)}</strong> on ${printable(network, 100)} to ${printable(payTo, 200)} ${fates[state]}.
<span class="note">nonce ${printable(nonce, 200)}, until ${printable(expires, 60)}${signature === undefined ? '' : `, signature ${printable(signature, 40)}`}</span></li>
`;
};
