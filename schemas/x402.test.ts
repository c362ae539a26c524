import { readdirSync, readFileSync } from 'node:fs';
import { PaymentPayloadSchema, PaymentRequiredSchema } from '@x402/core/schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { chainIdOf } from '../packs/x402/payments/index.js';
import { loadLedger } from '../src/ledger/requirements.js';
import { createInspector } from '../src/ledger/schemas.js';
import { byFile, ofEach } from './judged-cases.js';
import { rulesIn, type Valid } from './samples.js';
import { invalid, refs, valid } from './x402.cases.js';

const inspector = createInspector('x402');
const ledger = loadLedger('x402');
const folder = new URL('./x402/', import.meta.url);
const files = readdirSync(folder).map((name) => ({
  name,
  schema: JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Record<string, Record<string, unknown>>,
}));

interface Vector {
  readonly id: string;
  readonly payload: unknown;
}
interface Exchange {
  readonly required: unknown;
  readonly payload: unknown;
}
const vectors = JSON.parse(readFileSync(new URL('../fixtures/x402/eip3009.json', import.meta.url), 'utf8')) as {
  readonly positive: readonly { readonly id: string; readonly v1?: Exchange; readonly v2: Exchange }[];
  readonly negative: readonly Vector[];
  readonly malformed: readonly Vector[];
};
const exchanges = vectors.positive.flatMap(({ id, v1, v2 }) => [
  { name: `${id} in version 2`, ...v2 },
  ...(v1 === undefined ? [] : [{ name: `${id} in version 1`, ...v1 }]),
]);

const found = (ref: string, document: unknown): readonly string[] =>
  [...new Set(inspector.inspect(ref, document).findings.map(({ rule, path }) => `${rule}@${path}`))].sort();
const places = (ref: string, document: unknown) => inspector.inspect(ref, document).findings.map(({ path }) => path);

describe('payment documents', () => {
  it('are many, so that nothing below holds by default', () => {
    expect(valid.length).toBeGreaterThanOrEqual(80);
    expect(invalid.length).toBeGreaterThanOrEqual(440);
    const names = [...valid, ...invalid].map(({ ref, name }) => `${ref} ${name}`);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it.each(byFile(valid))('%s accepts what is valid', (_, cases) => {
    const seen = ofEach(cases, ({ ref, document }) => found(ref, document));
    expect(seen).toEqual(ofEach(cases, () => []));
  });

  it.each(byFile(invalid))('%s minds what is invalid', (_, cases) => {
    const seen = ofEach(cases, ({ ref, document }) => found(ref, document));
    expect(seen).toEqual(ofEach(cases, ({ findings }) => [...findings].sort()));
  });
});

describe('the vectors', () => {
  it.each(exchanges)('$name has a valid offer and payment', ({ required, payload }) => {
    expect(found(refs.offers, required)).toEqual([]);
    expect(found(refs.payments, payload)).toEqual([]);
    expect(PaymentRequiredSchema.safeParse(required).success).toBe(true);
    expect(PaymentPayloadSchema.safeParse(payload).success).toBe(true);
  });

  /** Where each malformed payment is wrong; what is not named is right in form. */
  const broken: Readonly<Record<string, readonly string[]>> = {
    'n22-sig-empty': ['/payload/signature'],
    'n23-sig-64-bytes': ['/payload/signature'],
    'n24-sig-66-bytes': ['/payload/signature'],
    'm01-no-payload': ['/payload'],
    'm02-payload-null': ['/payload'],
    'm03-payload-array': ['/payload'],
    'm04-no-authorization': ['/payload/authorization'],
    'm05-no-signature': ['/payload/signature'],
    'm06-no-from': ['/payload/authorization/from'],
    'm07-no-to': ['/payload/authorization/to'],
    'm08-no-value': ['/payload/authorization/value'],
    'm09-no-validAfter': ['/payload/authorization/validAfter'],
    'm10-no-validBefore': ['/payload/authorization/validBefore'],
    'm11-no-nonce': ['/payload/authorization/nonce'],
    'm12-value-number': ['/payload/authorization/value'],
    'm13-value-hex': ['/payload/authorization/value'],
    'm14-value-decimal': ['/payload/authorization/value'],
    'm15-value-negative': ['/payload/authorization/value'],
    'm16-value-spaces': ['/payload/authorization/value'],
    'm17-value-leading-zero': ['/payload/authorization/value'],
    'm18-value-overflow': ['/payload/authorization/value'],
    'm19-nonce-31': ['/payload/authorization/nonce'],
    'm20-nonce-number': ['/payload/authorization/nonce'],
    'm21-from-short': ['/payload/authorization/from'],
    'm22-no-accepted': ['/accepted'],
    'm23-no-version': ['/x402Version'],
    'm24-version-3': ['/x402Version'],
    'm25-version-string': ['/x402Version'],
    'm26-version-1-shape-2': ['/scheme', '/network'],
  };

  it('name the broken ones', () => {
    const ids = [...vectors.negative, ...vectors.malformed].map(({ id }) => id);
    expect(ids.length).toBe(57);
    expect(Object.keys(broken).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it.each([...vectors.negative, ...vectors.malformed])('$id is judged by its form alone', ({ id, payload }) => {
    expect(places(refs.payments, payload)).toEqual(broken[id] ?? []);
  });
});

describe('examples of the documents', () => {
  // Their placeholders are no addresses and no signatures; everything else is right.
  const payTo = '0xServerWalletAddressHere';
  const asset = '0x833589fCD6eDb6E08f4c7C32D4f71b54bda02913';
  const rest = { scheme: 'exact', asset, payTo, maxTimeoutSeconds: 600 };
  const accepted = { ...rest, network: 'eip155:8453', amount: '48240000', extra: { name: 'USD Coin', version: '2' } };
  const resource = { url: 'https://api.example.com/generate-image', description: 'Generate an image' };
  const option = { ...rest, network: 'base', maxAmountRequired: '48240000', resource: resource.url, description: '' };
  const authorization = {
    from: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
    to: payTo,
    value: '48240000',
    validAfter: '1740672089',
    validBefore: '1740672154',
    nonce: '0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480',
  };

  it.each<[string, string, unknown, readonly string[]]>([
    [
      'the offer of the transport',
      refs.offers,
      { x402Version: 2, error: 'Payment required', resource, accepts: [accepted] },
      ['x402.option-pay-to@/accepts/0/payTo'],
    ],
    [
      'the payment of the transport',
      refs.payments,
      { x402Version: 2, resource, accepted, payload: { signature: '0x2d6a7588…', authorization } },
      ['unruled@/payload/authorization/to', 'unruled@/payload/signature', 'x402.option-pay-to@/accepted/payTo'],
    ],
    [
      'the receipt of the transport',
      refs.receipts,
      { success: true, transaction: '0x1234567890abcdef...', network: 'eip155:8453', payer: authorization.from },
      ['x402.receipt-transaction@/transaction'],
    ],
    [
      'the failure of the transport',
      refs.receipts,
      { success: false, errorReason: 'Submitted too late.', network: 'eip155:8453', transaction: '' },
      [],
    ],
    [
      'the offer of v0.1, with a number as version of the token',
      refs.offers,
      { x402Version: 1, accepts: [{ ...option, outputSchema: {}, extra: { name: 'USD Coin', version: 2 } }] },
      [
        'x402.offer-error-stated@/error',
        'x402.option-extra@/accepts/0/extra/version',
        'x402.option-pay-to@/accepts/0/payTo',
      ],
    ],
    [
      'the offer of core v1, with null as output schema',
      refs.offers,
      {
        x402Version: 1,
        error: 'X-PAYMENT header is required',
        accepts: [{ ...option, payTo: asset, outputSchema: null, extra: { name: 'USDC', version: '2' } }],
      },
      [],
    ],
  ])('%s', (_name, ref, document, findings) => {
    expect(found(ref, document)).toEqual(findings);
  });
});

describe('the published schemas', () => {
  const judges: Readonly<Record<string, { safeParse(value: unknown): { readonly success: boolean } }>> = {
    [refs.offers]: PaymentRequiredSchema,
    [refs.payments]: PaymentPayloadSchema,
  };
  const agrees = ({ ref, document }: Valid) => judges[ref]?.safeParse(document).success;

  it('accept all that these accept', () => {
    expect(valid.filter((valid) => agrees(valid) === false).map(({ name }) => name)).toEqual([]);
  });

  /** What they accept and these mind. Whatever a place holds, the reason is the same. */
  const looser: readonly (readonly [reason: string, names: RegExp])[] = [
    ['any text is a price', / with \/accepts\/\d\/(?:amount|maxAmountRequired) "/],
    ['any text is an address or token', / with \/accepts\/\d\/(?:asset|payTo) "/],
    ['any text with a colon is a network', / with \/accepts\/0\/network "eip155:/],
    ['null is absence', /^version 2 with (?:\/error|\/extensions|\/resource\/\w+|\/accepts\/0\/extra) null$/],
    ['null is absence', /^version 1 with \/accepts\/0\/extra null$/],
    ['extra is anything', /(?:without \/accepts\/0\/extra|\/accepts\/0\/extra\/(?:name|version|paymentFlow).*)$/],
    ['extra is anything', /^the version of a token as a number/],
    ['values of extensions are anything', / \/extensions\/payment-identifier/],
    ['version 1 needs no error', /^version 1 without \/error$/],
    ['the payload of a scheme is any object', / \/payload\/(?:signature|authorization)/],
  ];

  it('differ where it is said', () => {
    const differing = invalid.filter((item) => agrees(item) === true).map(({ name }) => name);
    const reasons = (name: string) => looser.filter(([, names]) => names.test(name));
    expect(differing.filter((name) => reasons(name).length !== 1)).toEqual([]);
    expect(looser.filter(([, names]) => !differing.some((name) => names.test(name)))).toEqual([]);
  });
});

describe('the schemas', () => {
  it.each(files)('$name is a schema, and every form of it compiles', ({ name, schema }) => {
    expect(new Ajv2020({ strict: false }).validateSchema(schema)).toBe(true);
    expect(() => inspector.inspect(name, {})).not.toThrow();
    for (const form of Object.keys(schema['$defs'] ?? {})) {
      expect(() => inspector.inspect(`${name}#/$defs/${form}`, {}), form).not.toThrow();
    }
  });

  it('name rows of the ledger, each of which a document breaks and a document keeps', () => {
    const named = [...new Set(files.flatMap(({ schema }) => [...rulesIn(schema)]))].sort();
    expect(named.filter((rule) => ledger.row(rule as never) === undefined)).toEqual([]);
    const minded = invalid.flatMap(({ findings }) => findings.map((finding) => finding.split('@')[0]));
    expect(named.filter((rule) => !minded.includes(rule))).toEqual([]);
    const kept = new Set(valid.flatMap(({ ref, document }) => [...inspector.inspect(ref, document).visited]));
    expect(named.filter((rule) => !kept.has(rule))).toEqual([]);
  });

  it('know the numbers below 2^256, whichever digit decides', () => {
    const most = (2n ** 256n - 1n).toString();
    const digits = Array.from('0123456789');
    const numbers = Array.from(most).flatMap((_, at) =>
      digits.flatMap((digit) =>
        ['0', '9'].map((rest) => most.slice(0, at) + digit + rest.repeat(most.length - at - 1)),
      ),
    );
    const shorter = numbers.map((text) => text.slice(0, -1));
    const odd = [...numbers, ...shorter, `${most}0`].filter((text) => {
      const fits = !text.startsWith('0') && BigInt(text) <= BigInt(most);
      return (places('common.schema.json#/$defs/uint256', text).length === 0) !== fits;
    });
    expect(odd).toEqual([]);
  });

  it('call those networks EVM that the kit knows by name', () => {
    const names = JSON.stringify(
      files.find(({ name }) => name === 'common.schema.json')?.schema['$defs']?.['evmNetwork'],
    );
    const { anyOf } = JSON.parse(names) as { readonly anyOf: readonly { readonly enum?: readonly string[] }[] };
    const listed = anyOf.flatMap((item) => item.enum ?? []);
    expect(listed.length).toBeGreaterThanOrEqual(14);
    expect(listed.filter((name) => chainIdOf(name) === undefined)).toEqual([]);
  });
});

describe('the ledger of payments', () => {
  const { rows } = ledger;

  it('stands beside others: keys and needs of its own', () => {
    expect(rows.length).toBeGreaterThan(140);
    expect(rows.filter(({ key, id }) => !key?.startsWith('x402.') || !id.startsWith('X402-'))).toEqual([]);
    const theirs = ['a2a-0.3', 'a2a-1.0'].flatMap((id) => loadLedger(id).rows.map((row) => row.id));
    expect(rows.filter(({ id }) => theirs.includes(id))).toEqual([]);
  });

  it('gives no hard verdict where the documents disagree', () => {
    /** Disagreements whose verdict fails only what no document allows. */
    const settled = new Set([
      'AMBP-01',
      'AMBP-09',
      'AMBP-10',
      'AMBP-11',
      'AMBP-13',
      'AMBP-14',
      'AMBP-16',
      'AMBP-19',
      'AMBP-21',
    ]);
    const hard = rows.filter(({ level, ambiguity }) => level === 'must' && ambiguity !== undefined);
    expect(hard.filter(({ ambiguity }) => !settled.has(ambiguity ?? '')).map(({ id }) => id)).toEqual([]);
  });

  it('leaves out only what is recorded', () => {
    const left = rows.filter(({ uncovered }) => uncovered !== undefined);
    expect(left.filter(({ level, uncovered }) => level !== 'may' || !uncovered?.startsWith('recorded only'))).toEqual(
      [],
    );
  });
});
