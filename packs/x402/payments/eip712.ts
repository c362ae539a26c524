import { bytesOf, hex, isAddress, keccak } from './addresses.js';
import { type Authorization, X402Error } from './objects.js';

// The data that is signed. EIP-712; EIP-3009: TransferWithAuthorization.

/** The EIP-712 domain of a token contract. */
export interface Domain {
  readonly name: string;
  readonly version: string;
  readonly chainId: bigint;
  readonly verifyingContract: string;
}

export const types = {
  EIP712Domain: 'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
  TransferWithAuthorization:
    'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
  ReceiveWithAuthorization:
    'ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
  CancelAuthorization: 'CancelAuthorization(address authorizer,bytes32 nonce)',
} as const;
export type TypeName = keyof typeof types;

/** 32 bytes in hex. */
export const typeHash = (name: TypeName): string => hex(keccak(types[name]));

const decimal = /^(0|[1-9][0-9]{0,77})$/;
const word = /^0x[0-9a-fA-F]{64}$/;

/** Only decimal digits, no leading zeros, below 2^256. */
export const isUint256 = (value: unknown): value is string =>
  typeof value === 'string' && decimal.test(value) && BigInt(value) < 2n ** 256n;
/** 32 bytes in hex; letters of any case. */
export const isBytes32 = (value: unknown): value is string => typeof value === 'string' && word.test(value);

const uint = (value: bigint): Uint8Array => bytesOf(`0x${value.toString(16).padStart(64, '0')}`);
const address = (value: string): Uint8Array => Buffer.concat([new Uint8Array(12), bytesOf(value)]);

/** 32 bytes in hex. */
export const domainSeparator = ({ name, version, chainId, verifyingContract }: Domain): string =>
  hex(
    keccak(
      Buffer.concat([
        keccak(types.EIP712Domain),
        keccak(name),
        keccak(version),
        uint(chainId),
        address(verifyingContract),
      ]),
    ),
  );

/** Addresses of 20 bytes, numbers as `isUint256` says, a nonce of 32 bytes. */
export const isAuthorization = (value: Authorization): boolean =>
  [value.from, value.to].every(isAddress) &&
  [value.value, value.validAfter, value.validBefore].every(isUint256) &&
  isBytes32(value.nonce);

/**
 * 32 bytes in hex.
 * @throws X402Error unless `isAuthorization`
 */
export function structHash(authorization: Authorization): string {
  if (!isAuthorization(authorization)) throw new X402Error('authorization: is not well-formed and cannot be signed');
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return hex(
    keccak(
      Buffer.concat([
        keccak(types.TransferWithAuthorization),
        address(from),
        address(to),
        uint(BigInt(value)),
        uint(BigInt(validAfter)),
        uint(BigInt(validBefore)),
        bytesOf(nonce),
      ]),
    ),
  );
}

/**
 * 32 bytes in hex.
 * @throws X402Error unless `isAuthorization`
 */
export const signingHash = (domain: Domain, authorization: Authorization): string =>
  hex(
    keccak(
      Buffer.concat([Uint8Array.of(0x19, 0x01), bytesOf(domainSeparator(domain)), bytesOf(structHash(authorization))]),
    ),
  );
