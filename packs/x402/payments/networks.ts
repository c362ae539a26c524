// EVM networks by their two names. x402 core v1: list of networks; v2: CAIP-2.

const namesOfV1: ReadonlyMap<string, bigint> = new Map([
  ['base', 8453n],
  ['base-sepolia', 84532n],
  ['avalanche', 43114n],
  ['avalanche-fuji', 43113n],
  ['polygon', 137n],
  ['polygon-amoy', 80002n],
  ['ethereum', 1n],
  ['sepolia', 11155111n],
  ['iotex', 4689n],
  ['sei', 1329n],
  ['sei-testnet', 1328n],
  ['peaq', 3338n],
  ['abstract', 2741n],
  ['abstract-testnet', 11124n],
  ['story', 1514n],
  ['educhain', 41923n],
  ['skale-base-sepolia', 324705682n],
  ['megaeth', 4326n],
  ['monad', 143n],
  ['stable', 988n],
  ['stable-testnet', 2201n],
  ['celo', 42220n],
  ['flare', 14n],
]);
const idsOfV1: ReadonlyMap<bigint, string> = new Map([...namesOfV1].map(([name, id]) => [id, name]));

/** At most 32 digits: a CAIP-2 reference has no more. */
const caip2 = /^eip155:([1-9][0-9]{0,31})$/;

/** The chain id for `eip155:84532`, the only kind of name in version 2. Undefined: it is not such a name. */
export function chainIdOfCaip2(network: string): bigint | undefined {
  const [, reference] = caip2.exec(network) ?? [];
  return reference === undefined ? undefined : BigInt(reference);
}

/** The chain id for either kind of name: `eip155:84532`, `base-sepolia`. Undefined: unknown. */
export const chainIdOf = (network: string): bigint | undefined => chainIdOfCaip2(network) ?? namesOfV1.get(network);

/** `eip155:84532`. */
export const caip2Of = (chainId: bigint): string => `eip155:${chainId}`;
/** The name in version 1, which few networks have: a local chain has none. */
export const v1NameOf = (chainId: bigint): string | undefined => idsOfV1.get(chainId);

/** A chain that does not exist: signatures for it are worth nothing elsewhere. */
export const localChainId = 31337n;

/** Networks whose money is worth nothing: Base, Avalanche, Polygon and Arbitrum tests, Sepolia, and the local chain. */
export const testNetworks: ReadonlySet<bigint> = new Set([84532n, 43113n, 80002n, 421614n, 11155111n, localChainId]);
