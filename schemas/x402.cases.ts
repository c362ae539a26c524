import { readFileSync } from 'node:fs';
import { changed, type Valid } from './samples.js';

// Documents for the tests of the payment schemas. The tables say by hand which row each broken place belongs to; they are
// not read from the schemas, so that they can contradict them.

/** A document and all that is found in it, as `row@place`; `unruled` where only clients and facilitators write. */
export interface Judged extends Valid {
  readonly findings: readonly string[];
}
/** Places, values that they must not hold (undefined: absence), and the rows that mind. */
type Table = readonly (readonly [pointer: string, values: readonly unknown[], ...rows: readonly string[]])[];
type Json = Readonly<Record<string, unknown>>;

const load = (name: string): Json =>
  JSON.parse(readFileSync(new URL(`../fixtures/x402/${name}.json`, import.meta.url), 'utf8'));

const offers = 'payment-required.schema.json';
const payments = 'payment-payload.schema.json';
const receipts = 'settlement-response.schema.json';
const agent = 'metadata.schema.json#/$defs/agent';
const standalone = 'metadata.schema.json#/$defs/standalone';
const client = 'metadata.schema.json#/$defs/client';
const cards = 'agent-card.schema.json';
const facilitator = (form: string) => `facilitator.schema.json#/$defs/${form}`;

const offerV1 = load('offer-v1');
const offerV2 = load('offer-v2');
const paymentV1 = load('payment-v1');
const paymentV2 = load('payment-v2');
const [failed, settled] = load('receipts') as unknown as readonly [Json, Json];
const card = load('agent-card');
const answers = load('facilitator');
const optionV1 = (offerV1['accepts'] as readonly Json[])[0];
const optionV2 = (offerV2['accepts'] as readonly Json[])[0];

/** An offer whose first option has that scheme and names its flow. */
const flowing = (scheme: string) =>
  changed(offerV2, '/accepts/0', {
    ...optionV2,
    scheme,
    extra: { ...(optionV2?.['extra'] as Json), paymentFlow: 'authorization' },
  });

const hash = `0x${'5e'.repeat(32)}`;
const payer = '0x8f58726c49E14ccEeCfa4cFEBA7e043eeF4dd05D';
const most = (2n ** 256n - 1n).toString();
const noNumbers = ['', ' 1', '1 ', '-1', '+1', '1.0', '1e4', '0x2710', '010', '10_000', (2n ** 256n).toString()];
const noAddresses = [undefined, null, '', 'USDC', `0x${'0'.repeat(39)}`, `0x${'0'.repeat(41)}`, `0x${'g'.repeat(40)}`];

const named = (name: string, pointer: string, value: unknown) =>
  `${name} ${value === undefined ? 'without' : 'with'} ${pointer}${value === undefined ? '' : ` ${JSON.stringify(value)}`}`;

function broken(ref: string, name: string, document: unknown, table: Table): readonly Judged[] {
  return table.flatMap(([pointer, values, ...rows]) =>
    values.map((value) => ({
      ref,
      name: named(name, pointer, value),
      document: changed(document, pointer, value),
      findings: rows.map((row) => `${row}@${pointer}`),
    })),
  );
}

function fine(ref: string, name: string, document: unknown, table: Table): readonly Valid[] {
  return table.flatMap(([pointer, values]) =>
    values.map((value) => ({ ref, name: named(name, pointer, value), document: changed(document, pointer, value) })),
  );
}

/** What an offer of either version demands of its options; `amount` is the name of the price. */
const option = (amount: string): Table => [
  ['/x402Version', [undefined, '2', 3, null], 'x402.offer-version'],
  ['/accepts', [undefined, null, [], {}], 'x402.offer-accepts'],
  ['/accepts/0', ['exact', null, []], 'x402.offer-accepts'],
  ['/accepts/0/scheme', [undefined, null, '', 7], 'x402.option-scheme'],
  ['/accepts/0/network', [undefined, null, '', 84532], 'x402.option-network'],
  [`/accepts/0/${amount}`, [undefined, null, 10000, ...noNumbers], 'x402.option-amount'],
  ['/accepts/0/asset', noAddresses, 'x402.option-asset'],
  ['/accepts/0/payTo', [...noAddresses, 'merchant'], 'x402.option-pay-to'],
  ['/accepts/0/maxTimeoutSeconds', ['300', 0, -1], 'x402.option-timeout'],
  ['/accepts/0/extra/name', [undefined, null, '', 7], 'x402.option-extra'],
  ['/accepts/0/extra/version', [undefined, null, '', 2], 'x402.option-extra'],
];

const brokenOffers: readonly Judged[] = [
  ...broken(offers, 'version 2', offerV2, [
    ...option('amount'),
    ['/accepts/0/extra', [null, 'USDC', []], 'x402.offer-optional'],
    ['/accepts/0/network', ['base', 'eip155', 'eip155:', 'eip155:0', 'eip155:0x14a34'], 'x402.option-network'],
    ['/accepts/2/amount', [10000, '0.01'], 'x402.option-amount'],
    ['/accepts/2/asset', [undefined, ''], 'x402.option-asset'],
    ['/accepts/0/maxTimeoutSeconds', [undefined, null], 'x402.option-timeout'],
    ['/resource', [undefined, null, 'https://painter.example/portrait'], 'x402.offer-resource'],
    ['/resource/url', [undefined, null, '', 7], 'x402.offer-resource'],
    ['/resource/description', [null, 7], 'x402.offer-optional'],
    ['/resource/mimeType', [null, 7], 'x402.offer-optional'],
    ['/error', [null, 7], 'x402.offer-optional'],
    ['/extensions', [null, []], 'x402.offer-optional'],
    ['/extensions/payment-identifier', [null, true], 'x402.offer-optional'],
    ['/extensions/payment-identifier/info', [undefined, null], 'x402.offer-optional'],
    ['/extensions/payment-identifier/schema', [undefined, null], 'x402.offer-optional'],
  ]),
  ...broken(offers, 'with a flow', flowing('exact'), [
    ['/accepts/0/extra/paymentFlow', ['prepaid', 'Upfront', '', 7, false, ['upfront']], 'x402.flow-known'],
    ['/accepts/0/extra/paymentFlow', ['escrow'], 'x402.flow-fits-scheme'],
  ]),
  ...broken(offers, 'with a flow of another scheme', flowing('auth-capture'), [
    ['/accepts/0/extra/paymentFlow', ['unheard-of'], 'x402.flow-known'],
  ]),
  ...broken(offers, 'version 1', offerV1, [
    ...option('maxAmountRequired'),
    ['/accepts/0/extra', [undefined], 'x402.option-extra'],
    ['/accepts/0/extra', [null, 'USDC', []], 'x402.offer-optional', 'x402.option-extra'],
    ['/error', [undefined], 'x402.offer-error-stated'],
    ['/error', [null, 7], 'x402.offer-optional'],
    ['/accepts/0/maxTimeoutSeconds', [undefined, null], 'x402.option-timeout-stated'],
    ['/accepts/0/resource', [undefined, null], 'x402.option-resource-stated'],
    ['/accepts/0/resource', [7, {}], 'x402.option-resource'],
    ['/accepts/0/description', [undefined, null], 'x402.option-resource-stated'],
    ['/accepts/0/description', [7], 'x402.option-resource'],
    ['/accepts/0/mimeType', [null, 7], 'x402.offer-optional'],
    ['/accepts/0/outputSchema', ['{}', []], 'x402.offer-optional'],
  ]),
  { ref: offers, name: 'no object', document: [offerV2], findings: ['x402.offer-shape@'] },
  {
    ref: offers,
    name: 'an unknown version without options',
    document: { x402Version: 3, accepts: [] },
    findings: ['x402.offer-version@/x402Version', 'x402.offer-accepts@/accepts'],
  },
  {
    ref: offers,
    name: 'the version of a token as a number, where no way of transfer is named',
    document: changed(offerV2, '/accepts/0/extra', { name: 'USDC', version: 2 }),
    findings: ['x402.option-extra@/accepts/0/extra/version'],
  },
  {
    ref: offers,
    name: 'an option of version 2 in an offer of version 1',
    document: changed(offerV1, '/accepts/0', optionV2),
    findings: [
      'x402.option-amount@/accepts/0/maxAmountRequired',
      'x402.option-resource-stated@/accepts/0/resource',
      'x402.option-resource-stated@/accepts/0/description',
    ],
  },
  {
    ref: offers,
    name: 'an option of version 1 in an offer of version 2',
    document: changed(offerV2, '/accepts/0', optionV1),
    findings: ['x402.option-network@/accepts/0/network', 'x402.option-amount@/accepts/0/amount'],
  },
];

const addresses = [payer.toLowerCase(), `0x${payer.slice(2).toUpperCase()}`];
const goodOffers: readonly Valid[] = [
  { ref: offers, name: 'version 2', document: offerV2 },
  { ref: offers, name: 'version 1', document: offerV1 },
  ...fine(offers, 'version 2', offerV2, [
    ['/error', [undefined, '']],
    ['/extensions', [undefined, {}]],
    ['/resource/description', [undefined]],
    ['/resource/mimeType', [undefined]],
    ['/accepts/0/amount', ['0', '1', most]],
    ['/accepts/0/asset', addresses],
    ['/accepts/0/payTo', addresses],
    ['/accepts/0/maxTimeoutSeconds', [1, 0.5, 86_400]],
    ['/accepts/0/extra/assetTransferMethod', [undefined]],
    ['/accepts/0/extra', [undefined, {}, { paymentFlow: 'upfront' }, { assetTransferMethod: 'permit2' }]],
    ['/accepts/0/extra/name', ['TCK złoty 円']],
    ['/accepts/0/scheme', ['upto', 'batch-settlement']],
    ['/accepts/2/extra', [undefined, {}]],
    [
      '/accepts/2',
      [{ scheme: 'exact', network: 'ach:us', amount: '7', asset: 'USD', payTo: 'merchant', maxTimeoutSeconds: 9 }],
    ],
  ]),
  ...fine(offers, 'with a flow', flowing('exact'), [
    ['/accepts/0/extra/paymentFlow', [undefined, 'authorization', 'upfront', null]],
  ]),
  ...fine(offers, 'with a flow of another scheme', flowing('auth-capture'), [
    ['/accepts/0/extra/paymentFlow', [undefined, 'escrow']],
  ]),
  ...fine(offers, 'version 1', offerV1, [
    ['/accepts/0/mimeType', [undefined]],
    ['/accepts/0/outputSchema', [undefined, null, {}]],
    ['/accepts/0/resource', ['urn:painter:portrait']],
    ['/accepts/0/description', ['']],
    ['/accepts/0/network', ['base', 'some-chain']],
    ['/accepts/0/maxAmountRequired', ['0', most]],
  ]),
];

const authorization = '/payload/authorization';
const exact: Table = [
  ['/x402Version', [undefined, '2', 3], 'unruled'],
  ['/payload', [undefined, null, []], 'unruled'],
  ['/payload/signature', [undefined, null, '', '0x', `0x${'1'.repeat(128)}`, `0x${'1'.repeat(132)}`], 'unruled'],
  [authorization, [undefined, null, []], 'unruled'],
  ...['from', 'to'].map((name) => [`${authorization}/${name}`, noAddresses, 'unruled'] as const),
  ...['value', 'validAfter', 'validBefore'].map(
    (name) => [`${authorization}/${name}`, [undefined, null, 10000, ...noNumbers], 'unruled'] as const,
  ),
  [`${authorization}/nonce`, [undefined, null, 1, hash.slice(2), hash.slice(0, -2), `${hash}00`], 'unruled'],
];

const brokenPayments: readonly Judged[] = [
  ...broken(payments, 'version 2', paymentV2, [
    ...exact,
    ['/accepted', [undefined, null], 'x402.offer-accepts'],
    ['/accepted/amount', [10000], 'x402.option-amount'],
    ['/resource', ['https://painter.example/portrait'], 'x402.offer-resource'],
  ]),
  ...broken(payments, 'version 1', paymentV1, [
    ...exact,
    ['/scheme', [undefined, ''], 'unruled'],
    ['/network', [undefined, '', 84532], 'unruled'],
  ]),
];

const goodPayments: readonly Valid[] = [
  { ref: payments, name: 'version 2', document: paymentV2 },
  { ref: payments, name: 'version 1', document: paymentV1 },
  ...fine(payments, 'version 2', paymentV2, [
    ['/resource', [undefined]],
    ['/extensions', [undefined, {}]],
    ['/accepted/extra/name', ['Another Dollar']],
    [`${authorization}/validAfter`, ['0']],
    [`${authorization}/value`, [most]],
    [`${authorization}/nonce`, [`0x${'0'.repeat(64)}`, `0x${'AB'.repeat(32)}`]],
  ]),
  {
    ref: payments,
    name: 'version 2 by permit2',
    document: {
      x402Version: 2,
      accepted: (offerV2['accepts'] as readonly Json[])[1],
      payload: { permit2Authorization: {} },
    },
  },
  {
    ref: payments,
    name: 'version 1 on another kind of chain',
    document: { x402Version: 1, scheme: 'exact', network: 'solana', payload: { transaction: 'AQ==' } },
  },
];

const brokenReceipts: readonly Judged[] = [
  ...broken(receipts, 'success', settled, [
    ['/success', [undefined, null, 'true', 1], 'x402.receipt-shape'],
    ['/network', [undefined, null, '', 84532], 'x402.receipt-network'],
    ['/transaction', [undefined, null, '', hash.slice(2), `${hash}0`, '0xmock'], 'x402.receipt-transaction'],
    ['/payer', [7, 'me', '0x12'], 'x402.receipt-payer'],
    ['/payer', [null], 'x402.receipt-optional'],
    ['/amount', [null, 10000], 'x402.receipt-optional'],
    ['/extensions', [null, []], 'x402.receipt-optional'],
  ]),
  ...broken(receipts, 'failure', failed, [
    ['/transaction', [undefined, null, hash, 'none'], 'x402.failed-transaction'],
    ['/errorReason', [undefined, ''], 'x402.failed-reason'],
    ['/errorReason', [null], 'x402.receipt-optional', 'x402.failed-reason'],
    ['/network', [undefined, null, ''], 'x402.receipt-network'],
    ['/payer', [7], 'x402.receipt-payer'],
    ['/payer', [null], 'x402.receipt-optional'],
  ]),
  { ref: receipts, name: 'a hash alone', document: hash, findings: ['x402.receipt-shape@'] },
  ...broken(`${receipts}#/$defs/v1`, 'of version 1', changed(settled, '/network', 'base-sepolia'), [
    ['/payer', [undefined], 'x402.receipt-payer-stated'],
    ['/transaction', ['', '0xmock'], 'x402.receipt-transaction'],
  ]),
  ...broken(`${receipts}#/$defs/v2`, 'of version 2', settled, [['/network', ['base-sepolia'], 'x402.receipt-network']]),
];

const goodReceipts: readonly Valid[] = [
  { ref: receipts, name: 'success', document: settled },
  { ref: receipts, name: 'failure', document: failed },
  { ref: `${receipts}#/$defs/v2`, name: 'success in version 2', document: settled },
  { ref: `${receipts}#/$defs/v2`, name: 'failure in version 2', document: failed },
  {
    ref: `${receipts}#/$defs/v1`,
    name: 'success in version 1',
    document: changed(settled, '/network', 'base-sepolia'),
  },
  ...fine(receipts, 'success', settled, [
    ['/payer', [undefined, ...addresses]],
    ['/amount', [undefined]],
    ['/network', ['base-sepolia', 'base']],
  ]),
  ...fine(receipts, 'failure', failed, [['/payer', [undefined, '']]]),
  {
    ref: receipts,
    name: 'success on another kind of chain',
    document: {
      ...settled,
      network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
      transaction: '5VERv8NMvzbJ',
      payer: '2wKup',
    },
  },
];

const [status, required, payload, receiptsKey, error] = ['status', 'required', 'payload', 'receipts', 'error'].map(
  (name) => `x402.payment.${name}`,
) as [string, string, string, string, string];
const offering = { [status]: 'payment-required', [required]: offerV2, 'painter.example/mood': 7 };
const done = { [status]: 'payment-completed', [receiptsKey]: [failed, settled] };
const refusal = { [status]: 'payment-failed', [error]: 'EXPIRED_PAYMENT', [receiptsKey]: [failed] };
const paying = { [status]: 'payment-submitted', [payload]: paymentV2 };

const brokenMetadata: readonly Judged[] = [
  ...broken(agent, 'an offer', offering, [
    [`/${status}`, ['payment-pending', 'PAYMENT-REQUIRED', null], 'x402.status-known'],
    [`/${status}`, [undefined], 'x402.status-carried'],
    [`/${required}`, ['10000 USDC', null], 'x402.offer-shape'],
    [`/${required}/accepts/0/amount`, [10000], 'x402.option-amount'],
  ]),
  ...broken(standalone, 'an offer', offering, [[`/${required}`, [undefined], 'x402.offer-shape']]),
  ...broken(agent, 'a completion', done, [
    [`/${receiptsKey}`, [settled, null, hash], 'x402.receipts-array'],
    [`/${receiptsKey}/1/transaction`, [''], 'x402.receipt-transaction'],
    [`/${receiptsKey}/0`, [hash], 'x402.receipt-shape'],
    [`/${status}`, [undefined], 'x402.status-carried'],
  ]),
  ...broken(agent, 'a failure', refusal, [[`/${error}`, [undefined, null, '', 402, {}], 'x402.failure-error']]),
  ...broken(client, 'a payment', paying, [
    [`/${status}`, [undefined, 'payment-completed'], 'unruled'],
    [`/${payload}`, [undefined, null], 'unruled'],
    [`/${payload}${authorization}`, [undefined], 'unruled'],
  ]),
];

const goodMetadata: readonly Valid[] = [
  { ref: standalone, name: 'an offer', document: offering },
  { ref: agent, name: 'an offer in an artifact', document: { [status]: 'payment-required' } },
  { ref: standalone, name: 'a completion', document: done },
  { ref: standalone, name: 'a failure', document: refusal },
  { ref: agent, name: 'a failure of another code', document: { ...refusal, [error]: 'insufficient_funds' } },
  ...['submitted', 'verified', 'rejected'].map((name) => ({
    ref: standalone,
    name: `payment-${name}`,
    document: { [status]: `payment-${name}` },
  })),
  { ref: agent, name: 'nothing of payments', document: { 'painter.example/mood': 7 } },
  { ref: client, name: 'a payment', document: paying },
  { ref: client, name: 'a rejection', document: { [status]: 'payment-rejected' } },
];

const first = '/capabilities/extensions/0';
const declared = 'x402.card-declared';
const brokenCards: readonly Judged[] = [
  ...broken(cards, 'a card', card, [
    ['/capabilities', [undefined, null, []], declared],
    ['/capabilities/extensions', [undefined, null, {}], declared],
    [`${first}/description`, [7], 'x402.card-entry'],
    [`${first}/required`, [undefined, false], 'x402.card-required'],
    [`${first}/required`, ['true'], 'x402.card-entry', 'x402.card-required'],
    ['/capabilities/extensions/1/params', ['none'], 'x402.card-entry'],
  ]),
  { ref: cards, name: 'no card', document: [], findings: [`${declared}@`] },
  {
    ref: cards,
    name: 'a card without extensions',
    document: changed(card, '/capabilities/extensions', []),
    findings: [`${declared}@/capabilities/extensions`],
  },
  ...['https://github.com/google-a2a/a2a-x402/v0.10', 'HTTPS://github.com/google-a2a/a2a-x402/v0.1', 7].map((uri) => ({
    ref: cards,
    name: `a card with ${uri} alone`,
    document: changed(card, '/capabilities/extensions', [{ uri, required: true }]),
    findings: [`${declared}@/capabilities/extensions`, `${declared}@/capabilities/extensions/0/uri`],
  })),
];

const goodCards: readonly Valid[] = [
  { ref: cards, name: 'a card with both', document: card },
  ...fine(cards, 'a card', card, [
    [`${first}/description`, [undefined]],
    [first, [{ uri: 'https://painter.example/brushes', required: 'no' }]],
  ]),
];

const call = { x402Version: 2, paymentPayload: paymentV2, paymentRequirements: optionV2 };
const callV1 = { x402Version: 1, paymentPayload: paymentV1, paymentRequirements: optionV1 };
const unnamed = 'x402.facilitator-request';
const brokenCalls: readonly Judged[] = [
  ...broken(facilitator('verify.request'), 'a call', call, [
    ['/x402Version', [undefined, '2', 3], unnamed],
    ['/paymentPayload', [undefined, 'e30='], unnamed],
    ['/paymentRequirements', [undefined], unnamed],
    ['/paymentRequirements', [null], unnamed, 'x402.offer-accepts'],
    ['/paymentRequirements/amount', [undefined], 'x402.option-amount'],
    ['/paymentPayload/payload/authorization/nonce', [undefined], unnamed],
  ]),
  ...broken(facilitator('verify.response'), 'verified', answers['verified'], [
    ['/isValid', [undefined, 'true', null], 'unruled'],
    ['/payer', [null], 'unruled'],
  ]),
  ...broken(facilitator('verify.response'), 'refused', answers['refused'], [
    ['/invalidReason', [undefined, ''], 'unruled'],
  ]),
  ...broken(facilitator('settle.response'), 'settled', answers['settled'], [
    ['/success', [undefined, 'true'], 'unruled'],
    ['/transaction', [undefined, null], 'unruled'],
    ['/network', [undefined, ''], 'unruled'],
  ]),
  ...broken(facilitator('settle.response'), 'unsettled', answers['unsettled'], [
    ['/errorReason', [undefined], 'unruled'],
  ]),
  ...broken(facilitator('supported.v1'), 'kinds', answers['kinds'], [
    ['/kinds', [undefined, {}], 'unruled'],
    ['/kinds/0/scheme', [undefined], 'unruled'],
    ['/kinds/0/network', [undefined], 'unruled'],
    ['/kinds/0/x402Version', [undefined, '1'], 'unruled'],
  ]),
  ...broken(facilitator('supported.v2'), 'supported', answers['supported'], [
    ['/extensions', [undefined, {}], 'unruled'],
    ['/signers', [undefined, []], 'unruled'],
    ['/signers/eip155:*', [payer], 'unruled'],
  ]),
];

const goodCalls: readonly Valid[] = [
  { ref: facilitator('verify.request'), name: 'a call', document: call },
  { ref: facilitator('settle.request'), name: 'a call of version 1', document: callV1 },
  { ref: facilitator('verify.response'), name: 'verified', document: answers['verified'] },
  { ref: facilitator('verify.response'), name: 'refused', document: answers['refused'] },
  { ref: facilitator('settle.response'), name: 'settled', document: answers['settled'] },
  { ref: facilitator('settle.response'), name: 'unsettled', document: answers['unsettled'] },
  { ref: facilitator('supported.v1'), name: 'kinds', document: answers['kinds'] },
  { ref: facilitator('supported.v2'), name: 'supported', document: answers['supported'] },
];

export const valid: readonly Valid[] = [
  ...goodOffers,
  ...goodPayments,
  ...goodReceipts,
  ...goodMetadata,
  ...goodCards,
  ...goodCalls,
];
export const invalid: readonly Judged[] = [
  ...brokenOffers,
  ...brokenPayments,
  ...brokenReceipts,
  ...brokenMetadata,
  ...brokenCards,
  ...brokenCalls,
];
export const refs = { offers, payments, receipts };
