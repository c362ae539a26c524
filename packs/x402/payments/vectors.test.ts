import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bytesOf } from './addresses.js';
import {
  type Authorization,
  type Defect,
  type Domain,
  defects,
  domainSeparator,
  type ErrorCode,
  type Offer,
  type Option,
  type Paying,
  payment,
  readOffer,
  readPayment,
  readWallet,
  recoverAuthorization,
  signAuthorization,
  signingHash,
  structHash,
  type ThrowawayWallet,
  type TypeName,
  throwawayWallet,
  typeHash,
  types,
} from './index.js';

// Every vector of fixtures/x402/eip3009.json.

type JsonDomain = Omit<Domain, 'chainId'> & { readonly chainId: number };
interface Signed {
  readonly id: string;
  readonly domain: JsonDomain;
  readonly authorization: Authorization;
  readonly signingHash: string;
  readonly signature: string;
}
interface Exchange {
  readonly required: unknown;
  readonly payload: unknown;
}
interface Positive extends Signed {
  readonly wallet: string;
  readonly at: number;
  readonly domainSeparator: string;
  readonly structHash: string;
  readonly v1?: Exchange;
  readonly v2: Exchange;
}
interface Refused {
  readonly id: string;
  readonly of: string;
  readonly at: number;
  readonly payload: { readonly payload?: { readonly signature: string; readonly authorization: Authorization } };
}
interface Vectors {
  readonly typeHashes: Readonly<Record<TypeName, { readonly type: string; readonly hash: string }>>;
  readonly wallets: readonly { readonly id: string; readonly privateKey: string; readonly address: string }[];
  readonly positive: readonly Positive[];
  readonly published: Signed;
  readonly negative: readonly (Refused & { readonly a2aErrors: readonly (ErrorCode | 'any')[] })[];
  readonly malformed: readonly Refused[];
}
const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../../../fixtures/x402/eip3009.json', import.meta.url), 'utf8'),
);

const domainOf = ({ domain }: Signed): Domain => ({ ...domain, chainId: BigInt(domain.chainId) });
const walletOf = (id: string): ThrowawayWallet =>
  throwawayWallet(() => bytesOf(vectors.wallets.find((wallet) => wallet.id === id)!.privateKey));
const offerOf = ({ required }: Exchange): Offer => readOffer(required)!;
const onlyOption = (offer: Offer): Option => offer.options[0]!;

function payingOf(item: Positive, exchange: Exchange): Paying {
  const offer = offerOf(exchange);
  const { validAfter, validBefore, nonce } = item.authorization;
  return {
    offer,
    option: onlyOption(offer),
    wallet: walletOf(item.wallet),
    now: item.at,
    nonce,
    overrides: { validAfter, validBefore },
    domain: domainOf(item),
  };
}
const first = vectors.positive[0]!;

test('the vectors are all there', () => {
  const { wallets, positive, negative, malformed } = vectors;
  expect([wallets, positive, negative, malformed].map(({ length }) => length)).toEqual([5, 10, 30, 27]);
});

test.each(Object.keys(types) as TypeName[])('type hash of %s', (name) => {
  expect({ type: types[name], hash: typeHash(name) }).toEqual(vectors.typeHashes[name]);
});

test.each(vectors.wallets)('wallet $id', ({ privateKey, address, id }) => {
  expect([readWallet(privateKey).address, walletOf(id).address]).toEqual([address, address]);
});

describe('payments', () => {
  test.each(vectors.positive)('$id', (item) => {
    const [domain, { authorization }] = [domainOf(item), item];
    expect(domainSeparator(domain)).toBe(item.domainSeparator);
    expect(structHash(authorization)).toBe(item.structHash);
    expect(signingHash(domain, authorization)).toBe(item.signingHash);
    expect(signAuthorization(walletOf(item.wallet), domain, authorization)).toBe(item.signature);
    expect(recoverAuthorization(domain, authorization, item.signature)).toBe(authorization.from);
    for (const exchange of [item.v2, item.v1].filter((exchange) => exchange !== undefined)) {
      expect(onlyOption(offerOf(exchange)).usable).toBe(true);
      expect(payment(payingOf(item, exchange))).toEqual(exchange.payload);
      expect(readPayment(exchange.payload)).toBe(exchange.payload);
    }
  });

  test('the vector that another project has published', () => {
    const { published } = vectors;
    expect(signingHash(domainOf(published), published.authorization)).toBe(published.signingHash);
    expect(recoverAuthorization(domainOf(published), published.authorization, published.signature)).toBe(
      published.authorization.from,
    );
  });
});

/** Changes of the right payment: a path, and what is there instead. */
function changes(right: unknown, wrong: unknown, path = ''): readonly (readonly [string, unknown])[] {
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  if (!isObject(right) || !isObject(wrong) || Array.isArray(wrong)) {
    return Object.is(right, wrong) ? [] : [[path, wrong]];
  }
  const names = new Set([...Object.keys(right), ...Object.keys(wrong)]);
  return [...names].sort().flatMap((name) => changes(right[name], wrong[name], `${path}.${name}`));
}
const defectLike = (id: string): Defect => Object.values(defects).find((defect) => id.startsWith(`${defect.id}-`))!;
const paying = payingOf(first, first.v2);

describe('wrong payments', () => {
  /** Recipient: the payer itself instead of a stranger; strangers and nonces of our own; windows of one second. */
  const ownValues = ['n05', 'n06', 'n11', 'n12', 'n13', 'n14', 'n16'];

  test.each(vectors.negative)('$id', ({ id, payload, a2aErrors }) => {
    const defect = defectLike(id);
    const made = defect.make(paying)!;
    expect([defect.malformed, `${defect.id}-${defect.name}`]).toEqual([false, id]);
    expect(defect.codes === 'any' ? ['any'] : defect.codes).toEqual(a2aErrors);
    const [ours, theirs] = [changes(first.v2.payload, made), changes(first.v2.payload, payload)];
    if (!ownValues.includes(defect.id)) expect(ours).toEqual(theirs);
    const paths = (list: typeof ours): unknown =>
      list.map(([path]) => path).filter((path) => !/valid(After|Before)/.test(path));
    expect(paths(ours)).toEqual(paths(theirs));
    // What the signature alone says: of these the strict reader recovers the payer, of the others it does not.
    const sound = /^n(01|02|03|05|14|15|16|17|26|27|28|29)$/.test(defect.id);
    for (const { payload: inner } of [payload, made as typeof payload]) {
      const { authorization, signature } = inner!;
      expect(recoverAuthorization(domainOf(first), authorization, signature) === authorization.from).toBe(sound);
    }
  });

  test('the high-s twin is recovered by the lenient reader alone', () => {
    const { authorization, signature } = vectors.negative.find(({ id }) => id.startsWith('n25'))!.payload.payload!;
    const lenient = recoverAuthorization(domainOf(first), authorization, signature, { lenient: true });
    expect(lenient).toBe(authorization.from);
  });
});

describe('malformed payments', () => {
  test.each(vectors.malformed)('$id', ({ id, payload }) => {
    const defect = defectLike(id);
    const made = defect.make(paying)!;
    expect([defect.malformed, defect.codes]).toEqual([true, 'any']);
    const [ours, theirs] = [changes(first.v2.payload, made), changes(first.v2.payload, payload)];
    if (defect.id !== 'm27') expect(ours).toEqual(theirs);
    expect(ours.map(([path]) => path)).toEqual(theirs.map(([path]) => path));
    expect(JSON.parse(JSON.stringify(made))).toEqual(made);
    // One more member does no harm to a reader that looks for its own.
    expect(readPayment(payload) === undefined).toBe(defect.id !== 'm27');
  });
});
