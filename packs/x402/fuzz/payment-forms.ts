import type { Value, WireMutationTools } from '../../../src/fuzz/extending.js';
import { type DefectId, defects, metadataKeys, statuses } from '../payments/index.js';

// Defects of the payments of a campaign. a2a-x402 v0.1 §4 to §9; x402 core v1 §5.2, v2 §5.2.

type Arguments = Readonly<Record<string, Value>>;

const authorization = '/payload/authorization';
const fields = ['from', 'to', 'value', 'validAfter', 'validBefore', 'nonce'] as const;
const hex = (unit: string, bytes: number): string => `0x${unit.repeat(bytes)}`;

/** JSON values that replace any member. */
const anything: readonly Value[] = [
  null,
  true,
  0,
  -1,
  1.5,
  '',
  ' ',
  [],
  {},
  [null],
  { $raw: '1e400' },
  { $raw: '-0' },
  { $text: ['9', 100_000] },
  { $nest: ['[', 2000] },
];
const numbers: readonly Value[] = [
  0,
  10_000,
  10_000.5,
  1e21,
  { $raw: '1e4' },
  { $raw: '10000.0' },
  { $raw: '9007199254740993' },
  '-1',
  '-0',
  '+10000',
  '010000',
  '10000.0',
  '1e4',
  '1E4',
  '0x2710',
  '0b1',
  ' 10000 ',
  '10000n',
  '10,000',
  '10_000',
  'Infinity',
  'NaN',
  '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  '115792089237316195423570985008687907853269984665640564039457584007913129639936',
  '\uff11\uff10\uff10\uff10\uff10',
];
const times: readonly Value[] = ['9007199254740992', '18446744073709551616', '2026-01-01T00:00:00Z', '1.7e9', '-1'];
const nonces: readonly Value[] = [
  hex('11', 31),
  hex('11', 33),
  hex('00', 32),
  hex('ff', 32),
  hex('zz', 32),
  '0x',
  '0X11',
  hex('11', 32).slice(2),
  1,
];
const addresses: readonly Value[] = [hex('00', 20), hex('11', 19), hex('11', 21), hex('11', 20).slice(2), 'alice.eth'];
const signatures: readonly Value[] = [
  '0x',
  hex('00', 65),
  hex('ff', 65),
  hex('11', 64),
  hex('11', 1000),
  'AAAA',
  '0x1',
];
const networks: readonly Value[] = ['eip155:1', 'eip155:*', 'eip155:031337', 'EIP155:31337', 'base', 'solana:1', ''];
const versions: readonly Value[] = [0, 3, '2', '1', 1.5, 2.0000001, -2, null, [2], { $raw: '2.0' }, { $raw: '2e0' }];

const ofField: Readonly<Record<(typeof fields)[number], readonly Value[]>> = {
  from: addresses,
  to: addresses,
  value: numbers,
  validAfter: [...numbers, ...times],
  validBefore: [...numbers, ...times],
  nonce: nonces,
};

const at = (place: string, values: readonly Value[]): readonly Arguments[] =>
  values.map((value) => ({ at: place, value }));

/** Changes that replace one member. */
const changes: readonly Arguments[] = [
  ...fields.flatMap((field) => at(`${authorization}/${field}`, [...ofField[field], ...anything])),
  ...at('/x402Version', versions),
  ...['/network', '/accepted/network'].flatMap((place) => at(place, networks)),
  ...['/accepted/payTo', '/accepted/asset'].flatMap((place) => at(place, addresses)),
  ...at('/accepted/amount', numbers),
  ...at('/payload/signature', [...signatures, ...anything]),
  ...['/payload', authorization, '/accepted', '/accepted/extra', '/resource', '/extensions'].flatMap((place) =>
    at(place, anything),
  ),
];

/** Values that replace the whole payment. */
const wholes: readonly Value[] = [
  ...anything,
  'eyJ4NDAyVmVyc2lvbiI6Mn0=',
  '{"x402Version":2}',
  '0x00',
  { x402Version: 2 },
  { payload: {} },
  { success: true },
];

/** Replacements in the text of a payment: members twice, and names with a special meaning in programs. */
const rewritten: readonly (readonly [find: string, text: string])[] = [
  ['"value":', '"value":"1","value":'],
  ['"nonce":', `"nonce":"${hex('22', 32)}","nonce":`],
  ['"to":', `"to":"${hex('11', 20)}","to":`],
  ['"signature":', '"signature":"0x","signature":'],
  ['"payload":', '"payload":null,"payload":'],
  ['"x402Version":', '"x402Version":1,"x402Version":'],
  ['"authorization":{', '"authorization":{"__proto__":{"value":"0"},'],
  ['"payload":{', '"payload":{"__proto__":{"isValid":true},'],
  ['{"x402Version"', '{"__proto__":{"success":true,"isValid":true},"x402Version"'],
  ['"payload":{', '"payload":{"constructor":{"prototype":{"isValid":true}},'],
  ['"payload":{', '"payload":{"isValid":true,"success":true,'],
];

const success: Value = { success: true, transaction: hex('11', 32), network: 'eip155:31337', payer: hex('11', 20) };
/** Metadata that only the agent may send. */
const claims: readonly Arguments[] = [
  { [metadataKeys.receipts]: [success] },
  { [metadataKeys.receipts]: success },
  { [metadataKeys.error]: null },
  { [metadataKeys.required]: { x402Version: 2, accepts: [] } },
  { [metadataKeys.required]: null },
  {},
];
const odd: readonly Value[] = [
  'PAYMENT-SUBMITTED',
  'payment_submitted',
  'payment-submitted ',
  'payment-settled',
  'completed',
  '',
  null,
  1,
  true,
  [],
  ['payment-submitted'],
  {},
  { $text: ['a', 100_000] },
];

const ids = Object.keys(defects) as DefectId[];

/** Arguments of one payment. `names`: steps whose offers it may pay. */
export function paymentMade(
  { randomSource }: Pick<WireMutationTools, 'randomSource'>,
  names: readonly string[] = ['a'],
): Arguments {
  const base = { for: randomSource.pick(names), wallet: randomSource.below(3) };
  switch (randomSource.below(10)) {
    case 0:
      return { ...base, wallet: 0 };
    case 1:
    case 2:
      return { ...base, defect: randomSource.pick(ids) };
    case 3:
      return { ...base, whole: randomSource.pick(wholes) };
    case 4:
      return { ...base, rewrite: randomSource.pick(rewritten) };
    case 5:
      return {
        ...base,
        status: randomSource.pick(randomSource.chance(0.5) ? statuses : odd),
        more: randomSource.pick(claims),
      };
    case 6:
      return { ...base, status: randomSource.pick(statuses), bare: true, more: randomSource.pick(claims) };
    default:
      return {
        ...base,
        changes: randomSource.chance(0.9)
          ? [randomSource.pick(changes)]
          : [randomSource.pick(changes), randomSource.pick(changes)],
      };
  }
}
