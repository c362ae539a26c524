import type { Incoming, World } from '../../../src/reference/patching.js';
import {
  bodyHash,
  digest,
  headerNames,
  isAccountName,
  publicKeyText,
  readSignature,
  recover,
  signedHash,
  XprTextError,
} from '../signing/index.js';
import { denied } from './denied.js';
import type { XprWhole } from './patches.js';
import type { XprClaim, XprProof, XprSeams } from './seams.js';

export type ClaimSeams = Pick<
  XprSeams,
  'isAnonymous' | 'anonymous' | 'header' | 'claim' | 'seconds' | 'fresh' | 'body' | 'scheme' | 'hash' | 'key'
>;

/** All values of a header, without the white space around them (RFC 9110 §5.5). */
const valuesOf = (name: keyof typeof headerNames, { headers }: Incoming): readonly string[] =>
  headers.flatMap(([found, value]) =>
    found.toLowerCase() === headerNames[name].toLowerCase() ? [value.replace(/^[ \t]+|[ \t]+$/g, '')] : [],
  );

/** Seconds in whole numbers, as timestamps are. */
export const secondsOf = (ms: number): number => Math.floor(ms / 1000);

/** Reads strictly what a request claims about its caller. XPR document, Request Verification. */
export function claims({ clock }: World, whole: XprWhole): ClaimSeams {
  const settings = () => whole.xpr.settings();
  return {
    isAnonymous: (request) => settings().mode === 'optional' && valuesOf('signature', request).length === 0,
    // An account without a signature is a name, not a caller.
    anonymous: () => undefined,
    header(name, request) {
      const [value = '', ...others] = valuesOf(name, request);
      if (value === '') throw denied(`${headerNames[name]} is missing`);
      if (others.length > 0) throw denied(`${headerNames[name]} is given more than once`);
      return value;
    },
    claim(request) {
      const { xpr } = whole;
      const account = xpr.header('account', request);
      const timestamp = xpr.header('timestamp', request);
      const signature = xpr.header('signature', request);
      if (!isAccountName(account)) throw denied(`${headerNames.account} is not the name of an account`);
      return { account, timestamp, signature };
    },
    seconds(timestamp) {
      if (!/^[0-9]{1,12}$/.test(timestamp)) throw denied(`${headerNames.timestamp} is not a Unix time in seconds`);
      return Number(timestamp);
    },
    fresh(seconds) {
      const age = secondsOf(clock.now()) - seconds;
      const { windowSeconds, aheadSeconds } = settings();
      if (!(age <= windowSeconds && -age <= aheadSeconds)) {
        throw denied(`${headerNames.timestamp} is too far from the time of the server`);
      }
    },
    // The exact bytes of the request. `parse` refuses bytes that are not UTF-8, so that each hash has one text.
    body: ({ body = new Uint8Array() }) => body,
    async scheme() {
      const { lines, account } = settings();
      return lines === 3 ? { lines } : { lines, audience: account, chainId: await whole.xpr.chainId() };
    },
    async hash({ account, timestamp }, body) {
      return signedHash(digest(await whole.xpr.scheme(), { account, timestamp, body }));
    },
    key(signature, hash) {
      try {
        const key = recover(hash, readSignature(signature));
        if (key !== undefined) return publicKeyText(key);
      } catch (cause) {
        if (!(cause instanceof XprTextError)) throw cause;
      }
      throw denied(`${headerNames.signature} is not a signature`);
    },
  };
}

/**
 * The account that sends a request; undefined where it is not signed and signatures are optional. Order: headers, time,
 * signature, keys of the account, first use, number of calls, registration. Only steps that cost nothing come before
 * the signature is read, and nothing is noted before it is verified. Throws AuthenticationError.
 */
export async function authenticated(request: Incoming, { xpr }: XprWhole): Promise<string | undefined> {
  if (xpr.isAnonymous(request)) {
    const caller = xpr.anonymous(request);
    xpr.admit(caller);
    return caller;
  }
  const claim: XprClaim = xpr.claim(request);
  const seconds = xpr.seconds(claim.timestamp);
  xpr.fresh(seconds);
  const body = xpr.body(request);
  const key = xpr.key(claim.signature, await xpr.hash(claim, body));
  const { account } = claim;
  if (!xpr.authorises(key, await xpr.permissions(account))) {
    throw denied('the signature is not that of a key of the account');
  }
  const proof: XprProof = { ...claim, seconds, bodyHash: bodyHash(body) };
  await xpr.accept(proof);
  await xpr.gate(account);
  return account;
}
