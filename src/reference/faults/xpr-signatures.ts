import { hash } from 'node:crypto';
import { base58 } from '@scure/base';
import {
  type Claim,
  digest,
  isCanonical,
  preimage,
  publicKeyText,
  readSignatureLeniently,
  recover,
  recoverAnyCurve,
  type Scheme,
  signatureText,
  signedHash,
} from '../../xpr/index.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { denied } from '../xpr/denied.js';
import { onXpr } from '../xpr/patches.js';

const prefix = 'SIG_K1_';
const sha256 = (data: Uint8Array | string): Uint8Array => hash('sha256', data, 'buffer');

/** Reads a text that is no signature a second time, after `mend`. */
const readAs = (mend: (text: string) => string): Patch =>
  onXpr((inner) => ({
    key(signature, hash) {
      try {
        return inner.key(signature, hash);
      } catch {
        return inner.key(mend(signature), hash);
      }
    },
  }));

/** The text of a signature with the right checksum; unchanged if it cannot be decoded. */
function withChecksum(text: string): string {
  try {
    const data = base58.decode(text.slice(prefix.length));
    return data.length === 69 ? signatureText(data.subarray(0, 65)) : text;
  } catch {
    return text;
  }
}

interface Tolerance {
  readonly isHeader?: (header: number) => boolean;
  readonly zeroDigits?: boolean;
  readonly highS?: boolean;
}

/** Also reads signatures that the published library accepts, as far as they are tolerated here. */
const tolerating = ({ isHeader = (one) => one >= 31 && one <= 34, zeroDigits, highS }: Tolerance): Patch =>
  onXpr((inner) => ({
    key(signature, hash) {
      const bytes = readSignatureLeniently(signature);
      const isTolerated =
        bytes !== undefined &&
        isHeader(bytes[0] ?? 0) &&
        (zeroDigits === true || signatureText(bytes) === signature) &&
        (highS === true || isCanonical(bytes));
      const key = isTolerated ? recover(hash, bytes, { lenient: true }) : undefined;
      return key === undefined ? inner.key(signature, hash) : publicKeyText(key);
    },
  }));

/** Reads a signature without its header: gives all four keys that could belong to its two numbers. */
const withoutHeader: Patch = onXpr((inner) => ({
  key(signature, hash) {
    const bytes = readSignatureLeniently(signature);
    if (bytes === undefined) return inner.key(signature, hash);
    const keys = [31, 32, 33, 34].map((header) => recover(hash, Uint8Array.of(header, ...bytes.subarray(1))));
    return keys.flatMap((key) => (key === undefined ? [] : [publicKeyText(key)])).join(' ');
  },
  authorises: (keys, permissions) => keys.split(' ').some((key) => inner.authorises(key, permissions)),
}));

/** The bytes that ECDSA signs. */
type Reading = (scheme: Scheme, claim: Claim) => Uint8Array;

const twice = (data: Uint8Array | string): Uint8Array => signedHash(sha256(data));
const once: Reading = digest;
const hashBytes: Reading = (scheme, claim) =>
  twice(Buffer.concat([Buffer.from(preimage(scheme, claim).slice(0, -64)), sha256(claim.body)]));
const upperCase: Reading = (scheme, claim) => {
  const lines = preimage(scheme, claim);
  return twice(lines.slice(0, -64) + lines.slice(-64).toUpperCase());
};
const lineFeed: Reading = (scheme, claim) => twice(`${preimage(scheme, claim)}\n`);

const speaking = (reading: Reading): Patch =>
  onXpr((_inner, _world, whole) => ({
    hash: async (claim, body) => reading(await whole.xpr.scheme(), { ...claim, body }),
  }));

/** Accepts both this digest and the right one. */
const speakingToo = (reading: Reading): Patch =>
  onXpr((inner, _world, whole) => ({
    async hash(claim, body) {
      const other = reading(await whole.xpr.scheme(), { ...claim, body });
      const permissions = await whole.xpr.permissions(claim.account);
      try {
        if (whole.xpr.authorises(whole.xpr.key(claim.signature, other), permissions)) return other;
      } catch {
        // The signature does not fit this digest.
      }
      return inner.hash(claim, body);
    },
  }));

/** Changes the text of the refusal when an account cannot be read. */
const explaining = (words: (url: string, account: string) => string): Patch =>
  onXpr((inner, { chain }) => ({
    async ask(path, question) {
      try {
        return await inner.ask(path, question);
      } catch {
        throw denied(words(chain?.url ?? '', String(question['account_name'])));
      }
    },
  }));

/** Texts of signatures, digests, and what a refusal says. */
export const xprSignaturesFaults: readonly Fault[] = [
  fault('xpr-signed-once', {
    about: 'The digest is verified as it is: the published library hashes it once more.',
    breaks: ['xpr.signed-accepted', 'xpr.digest-variants'],
    patch: speaking(once),
  }),
  fault('xpr-body-hash-bytes', {
    about: 'The 32 bytes of the body hash are verified in place of its digits.',
    breaks: ['xpr.signed-accepted', 'xpr.digest-variants'],
    patch: speaking(hashBytes),
  }),
  fault('xpr-body-hash-upper-case', {
    about: 'The body hash is verified in upper case.',
    breaks: ['xpr.signed-accepted', 'xpr.digest-variants'],
    patch: speaking(upperCase),
  }),
  fault('xpr-line-feed-at-end', {
    about: 'A line feed is expected behind the last line.',
    breaks: ['xpr.signed-accepted', 'xpr.digest-variants'],
    patch: speaking(lineFeed),
  }),
  fault('xpr-signed-once-too', {
    about: 'Signatures of the digest that was not hashed once more are taken as well.',
    breaks: ['xpr.digest-variants'],
    patch: speakingToo(once),
  }),
  fault('xpr-body-hash-bytes-too', {
    about: 'Signatures over the bytes of the body hash are taken as well.',
    breaks: ['xpr.digest-variants'],
    patch: speakingToo(hashBytes),
  }),
  fault('xpr-body-hash-upper-case-too', {
    about: 'Signatures over a body hash in upper case are taken as well.',
    breaks: ['xpr.digest-variants'],
    patch: speakingToo(upperCase),
  }),
  fault('xpr-line-feed-at-end-too', {
    about: 'Signatures over lines with a line feed at the end are taken as well.',
    breaks: ['xpr.digest-variants'],
    patch: speakingToo(lineFeed),
  }),
  fault('xpr-checksum-unverified', {
    about: 'The checksum of a signature is not looked at.',
    breaks: ['xpr.signature-malformed'],
    patch: readAs(withChecksum),
  }),
  fault('xpr-prefix-optional', {
    about: 'A signature may come without its prefix.',
    breaks: ['xpr.signature-malformed'],
    patch: readAs((text) => prefix + text),
  }),
  fault('xpr-prefix-any-case', {
    about: 'The prefix of a signature may be written in any case.',
    breaks: ['xpr.signature-malformed'],
    patch: readAs((text) => text.replace(/^sig_k1_/i, prefix)),
  }),
  fault('xpr-curve-name-ignored', {
    about: 'The name of the curve in the prefix is not read.',
    breaks: ['xpr.signature-malformed'],
    patch: readAs((text) => text.replace(/^SIG_[A-Z0-9]+_/, prefix)),
  }),
  fault('xpr-tail-ignored', {
    about: 'What follows a signature is not read.',
    breaks: ['xpr.signature-malformed'],
    patch: readAs((text) => text.slice(0, -1)),
  }),
  fault('xpr-unrecoverable-let-in', {
    about: 'Where no key can be recovered, none is compared.',
    breaks: ['xpr.signature-malformed'],
    patch: onXpr((inner) => ({
      key(signature, hash) {
        try {
          return inner.key(signature, hash);
        } catch {
          return '';
        }
      },
      authorises: (key, permissions) => key === '' || inner.authorises(key, permissions),
    })),
  }),
  fault('xpr-signature-s-high', {
    about: 'A signature is taken with its s negated, too.',
    breaks: ['xpr.signature-twins'],
    patch: tolerating({ highS: true }),
  }),
  fault('xpr-signature-old-header', {
    about: 'Headers of keys that are not compressed are taken.',
    breaks: ['xpr.signature-twins'],
    patch: tolerating({ isHeader: (header) => header >= 27 && header <= 34 }),
  }),
  fault('xpr-signature-any-header', {
    about: 'Only two bits of the header are read.',
    breaks: ['xpr.signature-twins'],
    patch: tolerating({ isHeader: (header) => header >= 31 }),
  }),
  fault('xpr-signature-zero-digits', {
    about: 'A signature may begin with zero digits that mean nothing.',
    breaks: ['xpr.signature-twins'],
    patch: tolerating({ zeroDigits: true }),
  }),
  fault('xpr-signature-header-ignored', {
    about: 'The header is not read: whichever key fits is taken.',
    breaks: ['xpr.signature-twins'],
    patch: withoutHeader,
  }),
  fault('xpr-signature-published-parser', {
    about: 'Signatures are read as the published library reads them.',
    breaks: ['xpr.signature-twins', 'xpr.other-curves'],
    patch: onXpr((inner) => ({
      key: (signature, hash) => recoverAnyCurve(hash, signature) ?? inner.key(signature, hash),
    })),
  }),
  fault('xpr-other-curves-read', {
    about: 'Signatures of other curves are taken where the account has such a key.',
    breaks: ['xpr.other-curves'],
    patch: onXpr((inner) => ({
      key: (signature, hash) =>
        (signature.startsWith(prefix) ? undefined : recoverAnyCurve(hash, signature)) ?? inner.key(signature, hash),
    })),
  }),
  fault('xpr-refusal-names-node', {
    about: 'The refusal of an unknown account names the node that was asked.',
    breaks: ['xpr.unknown-account-text'],
    patch: explaining((url, account) => `${account} cannot be read from ${url}`),
  }),
  fault('xpr-refusal-names-path', {
    about: 'The refusal of an unknown account names the path that was asked.',
    breaks: ['xpr.unknown-account-text'],
    patch: explaining((_url, account) => `/v1/chain/get_account fails for ${account}`),
  }),
  fault('xpr-refusal-quotes-chain', {
    about: "The refusal of an unknown account has the chain's own words.",
    breaks: ['xpr.unknown-account-text'],
    patch: explaining(
      (_url, account) => `unknown key (boost::tuples::tuple<bool, eosio::chain::name>): (0 ${account})`,
    ),
  }),
  fault('xpr-refusal-shows-stack', {
    about: 'The refusal of an unknown account shows where in the program it was thrown.',
    breaks: ['xpr.unknown-account-text'],
    patch: explaining((_url, account) => `RpcError: ${account}\n    at getAccount (/app/dist/auth.js:120:15)`),
  }),
];
