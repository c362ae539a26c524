import {
  type CallStep,
  type Case,
  demanded,
  isPaymentMutation,
  type Oracle,
  type OracleContext,
  placeOf,
  type Sent,
  type Sight,
  type Symptom,
  sightsIn,
  symptomOf,
  type Trace,
  type WireMutation,
  withCalls,
} from '../../../src/fuzz/extending.js';
import type { RequirementKey } from '../../../src/ledger/index.js';
import { isObject, member, type Task } from '../../../src/model/index.js';
import { isStatus, metadataKeys, readReceipts, readStatus } from '../payments/index.js';
import { offerIn } from './payer.js';

// a2a-x402 v0.1 §5, §9: an agent gives nothing for a payment that was not verified. No wallet of a campaign has any
// money.

const paymentOf = (step: CallStep): WireMutation | undefined => step.tricks?.find(isPaymentMutation);

/** What shows that the agent counts a task as paid. */
function gives({ status, artifacts = [] }: Task): string | undefined {
  const metadata = status.message?.metadata ?? {};
  const receipts = readReceipts(member(metadata, metadataKeys.receipts)) ?? [];
  if (receipts.some(({ success }) => success === true)) return 'a receipt';
  if (readStatus(metadata) === 'payment-completed') return 'a completed payment';
  if (artifacts.length > 0) return 'an artifact';
  return status.state === 'completed' ? 'a completed task' : undefined;
}

interface Given {
  readonly sight: Sight;
  readonly what: string;
  /** The last payment before it. */
  readonly paid: Sent;
}

/** A task that asked to be paid, and for which the agent gives something after a payment. */
function givenIn(trace: Trace, sights: readonly Sight[]): Given | undefined {
  const asked = new Set<string>();
  for (const sight of sights) {
    const { task, sent } = sight;
    if (offerIn(task) !== undefined) asked.add(task.id);
    const what = asked.has(task.id) ? gives(task) : undefined;
    if (what === undefined) continue;
    const paid = trace.sent.findLast(
      (request) => request.sentAt <= sent.sentAt && paymentOf(request.step) !== undefined,
    );
    if (paid !== undefined) return { sight, what, paid };
  }
  return undefined;
}

interface Charge {
  readonly what: string;
  readonly key: RequirementKey;
}

/** The defects that the checks know, grouped by their ids. */
const groups: readonly (readonly [ids: RegExp, charge: Charge])[] = [
  [/^n(01|02|03|28)$/, { what: 'another amount', key: 'x402.amount-low' }],
  [/^n(05|29)$/, { what: 'another recipient', key: 'x402.recipient-other' }],
  [/^n1[4-7]$/, { what: 'another time', key: 'x402.expired' }],
  [/^n(26|27|30)$/, { what: 'what was not offered', key: 'x402.network-not-offered' }],
  [/^n/, { what: 'a signature that is not right', key: 'x402.signature-broken' }],
];
const malformed: Charge = { what: 'what is malformed', key: 'x402.malformed-refused' };
const unsigned: Charge = { what: 'a signature that is not right', key: 'x402.signature-broken' };
/** The defect that flips one bit of the signature. */
const flipped = 'n18';

const emptyWallet: Charge = { what: 'an empty wallet', key: 'x402.unfunded' };

/** What is wrong with a payment besides the empty wallet, and the sentence that forbids it. */
function chargeOf(trick: WireMutation): Charge {
  const { status = 'payment-submitted', changes, defect, whole, rewrite, bare } = trick;
  if (status !== 'payment-submitted') {
    if (!isStatus(status)) return { what: 'an unknown status', key: 'x402.status-unknown' };
    if (status === 'payment-rejected') return { what: 'a rejection', key: 'x402.rejected' };
    return { what: `the claim ${status}`, key: 'x402.status-claimed' };
  }
  if (bare === true) return { what: 'no payment', key: 'x402.submitted-without-payload' };
  if (whole !== undefined) return { what: 'data that is not a payment', key: 'x402.malformed-refused' };
  if (rewrite !== undefined) return { what: 'members twice or of programs', key: 'x402.hostile-refused' };
  if (typeof defect === 'string') return groups.find(([ids]) => ids.test(defect))?.[1] ?? malformed;
  const places = Array.isArray(changes)
    ? changes.map((change) => (isObject(change) && typeof change['at'] === 'string' ? placeOf(change['at']) : ''))
    : [];
  if (places.length === 0) return emptyWallet;
  return { what: `another ${places.join(' and ')}`, key: 'x402.malformed-refused' };
}

/** The same script with other payments. */
const withPayments = (whole: Case, change: (trick: WireMutation) => readonly WireMutation[]): Case =>
  withCalls(whole, (step) =>
    step.tricks === undefined
      ? step
      : { ...step, tricks: step.tricks.flatMap((trick) => (isPaymentMutation(trick) ? change(trick) : [trick])) },
  );

/** A correct payment of an empty wallet. */
function plainly({ trick, for: name, wallet }: WireMutation): WireMutation {
  return { trick, ...(name === undefined ? {} : { for: name }), ...(wallet === undefined ? {} : { wallet }) };
}

/** Whether the agent gives something. It need not have asked to be paid: it may have given it at once. */
const isGiven = (trace: Trace): boolean => sightsIn(trace).some(({ task }) => gives(task) !== undefined);

/** The most basic defect of an agent that gave something: it may check no balance, or no signature. */
async function leastOf(own: Charge, { case: whole }: Trace, oracleContext: OracleContext): Promise<Charge> {
  if (own.what === emptyWallet.what) return own;
  if (isGiven(await oracleContext.perform(withPayments(whole, (trick) => [plainly(trick)])))) return emptyWallet;
  if (own.what === unsigned.what) return own;
  const forged = withPayments(whole, (trick) => [{ ...plainly(trick), defect: flipped }]);
  return isGiven(await oracleContext.perform(forged)) ? unsigned : own;
}

async function judge(given: Given, trace: Trace, oracleContext: OracleContext): Promise<readonly Symptom[]> {
  const trick = paymentOf(given.paid.step);
  if (trick === undefined) return [];
  // An agent that works without any payment does not charge.
  if (isGiven(await oracleContext.perform(withPayments(trace.case, () => [])))) return [];
  const { what, key } = await leastOf(chargeOf(trick), trace, oracleContext);
  const title = `the agent gives something for ${what}`;
  const detail = `after the payment the task shows ${given.what}, though no payer has any money`;
  return [symptomOf('paid', `paid/${what}`, title, given.sight.sent, demanded(oracleContext, key), detail)];
}

/** An agent gives nothing for a payment of an empty wallet, whatever else the payment says. */
export const paid: Oracle = (trace, oracleContext) => {
  if (!trace.sent.some(({ step }) => paymentOf(step) !== undefined)) return [];
  const found = givenIn(trace, sightsIn(trace));
  return found === undefined ? [] : judge(found, trace, oracleContext);
};
