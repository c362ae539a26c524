import { sameAddress } from './addresses.js';
import { localChainId } from './networks.js';

// Tokens whose EIP-712 domain the kit knows itself, so that a merchant cannot make it use another one.

export interface Token {
  readonly chainId: bigint;
  /** The contract. */
  readonly asset: string;
  /** Name and version of the domain; the name of USDC differs from network to network. */
  readonly name: string;
  readonly version: string;
  readonly decimals: number;
}

const usdc = (chainId: bigint, name: string, asset: string): Token => ({
  chainId,
  asset,
  name,
  version: '2',
  decimals: 6,
});

/** The token of the local chain: fictional. */
export const localToken: Token = {
  chainId: localChainId,
  asset: '0x6b0747d2dE0a7a94d905B34a4954d46745eac27E',
  name: 'TCK Dollar',
  version: '1',
  decimals: 6,
};

export const tokens: readonly Token[] = [
  usdc(84532n, 'USDC', '0x036CbD53842c5426634e7929541eC2318f3dCF7e'),
  usdc(8453n, 'USD Coin', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
  usdc(43113n, 'USD Coin', '0x5425890298aed601595a70AB815c96711a31Bc65'),
  usdc(421614n, 'USD Coin', '0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d'),
  localToken,
];

/** The token of a contract on a chain, among the known ones and `more`. */
export const tokenOf = (chainId: bigint | undefined, asset: string, more: readonly Token[] = []): Token | undefined =>
  [...tokens, ...more].find((token) => token.chainId === chainId && sameAddress(token.asset, asset));
