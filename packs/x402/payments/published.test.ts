import { parsePaymentPayload, parsePaymentRequired } from '@x402/core/schemas';
import { x402ResourceServer } from '@x402/core/server';
import { ExactEvmScheme as ExactClient } from '@x402/evm/exact/client';
import { ExactEvmScheme } from '@x402/evm/exact/facilitator';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hex, keccak } from './addresses.js';
import {
  type Defect,
  defects,
  defectsOf,
  domainOf,
  localToken,
  type Offer,
  type Paying,
  type PaymentPayload,
  payment,
  readOffer,
  recoverAuthorization,
  rewritings,
  type Token,
  throwawayWallet,
  tokens,
  v1NameOf,
  type X402Version,
} from './index.js';

// What the published packages say of our payments. Their calls to a chain are answered as if it had taken the transfer.

const now = 1767225700;
beforeEach(() => void vi.spyOn(Date, 'now').mockReturnValue(now * 1000));
afterEach(() => void vi.restoreAllMocks());

const wallet = throwawayWallet(() => keccak('a payer of tests'));
const merchant = throwawayWallet(() => keccak('a merchant of tests')).address;
const nonce = hex(keccak('a nonce of tests'));

function offerOf(version: X402Version, { chainId, asset, name, version: domainVersion }: Token): Offer {
  const common = {
    scheme: 'exact',
    asset,
    payTo: merchant,
    maxTimeoutSeconds: 300,
    extra: { name, version: domainVersion },
  };
  const resource = { url: 'https://merchant.test/skill', description: 'A skill', mimeType: 'text/plain' };
  const offered =
    version === 2
      ? { x402Version: 2, resource, accepts: [{ ...common, network: `eip155:${chainId}`, amount: '10000' }] }
      : {
          x402Version: 1,
          error: 'Payment required',
          accepts: [
            {
              ...common,
              network: v1NameOf(chainId),
              maxAmountRequired: '10000',
              resource: resource.url,
              description: 'A skill',
              mimeType: 'text/plain',
            },
          ],
        };
  return readOffer(offered)!;
}
const payingOf = (version: X402Version, token: Token): Paying => {
  const offer = offerOf(version, token);
  return { offer, option: offer.options[0]!, wallet, now, nonce };
};

const chain = {
  getAddresses: () => [merchant as `0x${string}`],
  getCode: async ({ address }: { readonly address: string }) =>
    address === wallet.address
      ? ('0x' as const)
      : tokens.some(({ asset }) => asset === address)
        ? ('0x60' as const)
        : '0x',
  readContract: async () => undefined,
  verifyTypedData: async () => {
    throw new Error('the packages verify by themselves');
  },
  writeContract: async () => `0x${'00'.repeat(32)}` as const,
  sendTransaction: async () => `0x${'00'.repeat(32)}` as const,
  waitForTransactionReceipt: async () => ({ status: 'success' }),
} as ConstructorParameters<typeof ExactEvmScheme>[0];
const facilitators = { 1: new ExactEvmSchemeV1(chain), 2: new ExactEvmScheme(chain) };

/** Valid, the reason why not, or the error that the facilitator throws. */
async function verdict({ offer, option }: Paying, made: unknown): Promise<string> {
  const requirements = structuredClone(option.raw);
  try {
    type Verify = ExactEvmScheme['verify'];
    const [payload, required] = [made, requirements] as Parameters<Verify>;
    const { isValid, invalidReason } = await facilitators[offer.x402Version].verify(payload, required);
    return isValid ? 'valid' : (invalidReason ?? 'invalid');
  } catch (error) {
    return `throws ${(error as Error).name}`;
  }
}

/** What the resource server of the package takes for a payment of the offer. */
const isMatched = ({ option }: Paying, made: unknown): boolean => {
  type Find = x402ResourceServer['findMatchingRequirements'];
  const [available, payload] = [[option.raw], made] as Parameters<Find>;
  return new x402ResourceServer().findMatchingRequirements(available, payload) !== undefined;
};

const [usdc] = tokens;
const cases = ([1, 2] as const).flatMap((version) =>
  tokens
    .filter(({ chainId }) => version === 2 || v1NameOf(chainId) !== undefined)
    .map((token) => ({ version, token, chain: token.chainId })),
);

describe('payments', () => {
  test.each(cases)('version $version on $chain', async ({ version, token }) => {
    const paying = payingOf(version, token);
    const made = payment(paying);
    expect(parsePaymentRequired(paying.offer.raw).success).toBe(true);
    expect(parsePaymentPayload(made).data).toEqual(made);
    expect(await verdict(paying, made)).toBe('valid');
    if (version === 2) expect(isMatched(paying, made)).toBe(true);
  });

  test.each(cases)('rewritten, version $version on $chain', async ({ version, token }) => {
    const paying = payingOf(version, token);
    const made = payment(paying);
    for (const [name, rewritten] of Object.entries(rewritings)) {
      const other = rewritten(made);
      expect(parsePaymentPayload(other).success).toBe(true);
      expect([name, await verdict(paying, other)]).toEqual([name, 'valid']);
      // Letters of addresses count for the resource server.
      if (version === 2) expect([name, isMatched(paying, other)]).toEqual([name, name !== 'lowerCase']);
    }
  });

  test.each(tokens)('of the published client on $chainId', async (token) => {
    const { offer, option } = payingOf(2, token);
    const client = new ExactClient(privateKeyToAccount(hex(keccak('a payer of tests')) as `0x${string}`));
    const requirements = structuredClone(option.raw) as Parameters<ExactClient['createPaymentPayload']>[1];
    const { payload } = await client.createPaymentPayload(2, requirements);
    const { authorization, signature } = payload as PaymentPayload['payload'];
    expect(recoverAuthorization(domainOf(option)!, authorization, signature)).toBe(wallet.address);
    const { validAfter, validBefore, nonce } = authorization;
    const ours = payment({ offer, option, wallet, now, nonce, overrides: { validAfter, validBefore } });
    expect(ours.payload).toEqual({ authorization, signature });
  });
});

const reasons: Readonly<Record<string, string>> = {
  n01: 'value',
  n02: 'value',
  n03: 'value',
  n04: 'signature',
  n05: 'recipient',
  n06: 'signature',
  n07: 'signature',
  n08: 'signature',
  n09: 'signature',
  n10: 'signature',
  n11: 'signature',
  n12: 'signature',
  n13: 'signature',
  n14: 'valid_before',
  n15: 'valid_before',
  n16: 'valid_after',
  n17: 'valid_after',
  n18: 'signature',
  n19: 'signature',
  n20: 'signature',
  n21: 'signature',
  n22: 'signature',
  n23: 'signature',
  n24: 'signature',
  n25: 'valid',
  n26: 'network',
  n27: 'scheme',
  n28: 'value',
  n29: 'recipient',
  n30: 'signature',
  m01: 'throws',
  m02: 'throws',
  m03: 'throws',
  m04: 'throws',
  m05: 'throws',
  m06: 'signature',
  m07: 'signature',
  m08: 'throws',
  m09: 'throws',
  m10: 'throws',
  m11: 'signature',
  m12: 'valid',
  m13: 'valid',
  m14: 'throws',
  m15: 'signature',
  m16: 'valid',
  m17: 'valid',
  m18: 'signature',
  m19: 'signature',
  m20: 'signature',
  m21: 'signature',
  m22: 'throws',
  m23: 'valid',
  m24: 'valid',
  m25: 'valid',
  m26: 'valid',
  m27: 'valid',
};

describe('payments with a defect', () => {
  const made = cases.flatMap((item) => defectsOf(item.version).map((defect) => ({ ...item, defect, id: defect.id })));

  test.each(made)('$id, version $version on $chain', async ({ version, token, defect }) => {
    const paying = payingOf(version, token);
    expect(await verdict(paying, defect.make(paying))).toContain(reasons[defect.id]);
  });

  test.each(Object.values(defects))('$id in the schemas', ({ id, make }: Defect) => {
    const accepted = !['m01', 'm02', 'm03', 'm22', 'm23', 'm24', 'm25', 'm26'].includes(id);
    expect(parsePaymentPayload(make(payingOf(2, usdc!))).success).toBe(accepted);
  });

  test.each(['n26', 'n27', 'n28', 'n29', 'n30'] as const)('%s is not a payment of the offer', (id) => {
    const paying = payingOf(2, localToken);
    expect(isMatched(paying, defects[id].make(paying))).toBe(false);
  });
});
