import {
  check,
  describe,
  excerpt,
  inconclusive,
  isAdmitted,
  type Scene,
  source,
  turnedAway,
} from '../../src/kit/index.js';
import { type Defect, defective, rightlySigned, someCaller, tried } from './defects.js';
import { innards } from './innards.js';
import { foreignLink } from './links.js';
import * as xpr from './shared/asking.js';
import * as xprText from './signing/index.js';
import { authenticated, ownSigned } from './signing.js';

// Valid and invalid signatures, and their callers. XPR document, Request Signing, Request Verification.

/** Words about a caller's status: a caller that is refused for its status was recognised. */
const gateWords = /not (a )?registered|not active|inactive|KYC|trust (score|level)|below (the )?minimum/i;

export const signedAccepted = check('xpr/signed-accepted', 'xpr.signed-accepted')
  .given('agent', xpr.verifies)
  .when('the client signs a request with a key of the account', async (scene) =>
    xpr.probeAs(scene, xpr.firstCaller(scene)),
  )
  .expects('accept the request', (outcome, scene) => {
    const { keyDoubt } = xpr.xprOf(scene);
    if (outcome.kind === 'denied' && keyDoubt !== undefined) return inconclusive(keyDoubt);
    if (outcome.kind === 'denied' && gateWords.test(outcome.message ?? '')) {
      return inconclusive(`give another account: the agent asks more of its callers: ${describe(outcome)}`);
    }
    return authenticated(outcome);
  })
  .advice(
    'ECDSA runs over SHA-256 of the digest, so what is signed was hashed twice; the body hash is 64 lower-case ' +
      'hexadecimal digits; no line feed ends the lines. Is the key one of the active permission, and the digest the ' +
      'right one (--xpr-digest)?',
  );

/** Left to the checks of headers: where signatures are optional, an empty one may count as missing. */
const emptyText = 'r01';
/** Another text for the same two numbers; left to the checks of twins. */
const flippedHeader = 'r14';

/** Probes with correct signatures that are spelled differently. */
function spelledAs(scene: Scene, spellings: typeof xprText.twins, isMeant: (id: string) => boolean): readonly Defect[] {
  const caller = someCaller(scene);
  const sample = spellings(xpr.signed(scene, caller).signature).filter(({ id }) => isMeant(id));
  return sample.map(({ id, about }) =>
    defective(scene, caller, `another text of the signature (${about})`, {
      signature: (right) => spellings(right).flatMap((spelling) => (spelling.id === id ? [spelling.text] : [])),
    }),
  );
}

export const signatureMalformed = check('xpr/signature-malformed', 'xpr.signature-malformed')
  .given('agent', xpr.verifies)
  .when('the client sends malformed signatures', async (scene) =>
    tried(
      scene,
      scene.agent,
      spelledAs(scene, xprText.malformations, (id) => id !== emptyText && id !== flippedHeader),
    ),
  )
  .expects('refuse each request as not authenticated', ({ judgement }) => judgement)
  .butAccepts('a request signed rightly', rightlySigned)
  .advice(
    'Decode strictly: the exact prefix SIG_K1_, the checksum, 65 bytes and no more. Refuse with -32000 where no key can be recovered.',
  );

/** An account that exists on every chain of this kind. */
const systemAccount = 'eosio';

export const wrongKey = check('xpr/wrong-key', 'xpr.wrong-key')
  .given('agent', xpr.verifies)
  .when('the client signs with a key that its account does not have', async (scene) => {
    const { first, second, stranger } = xpr.xprOf(scene);
    const attempt = (about: string, account: string, signer: Parameters<typeof xpr.signed>[1]): xpr.Attempt => ({
      about,
      send: () => xpr.send(scene, xpr.signed(scene, { account, key: signer.key })),
    });
    const own = first?.account ?? systemAccount;
    // The agent may confuse keys that it has seen before.
    if (first !== undefined) await xpr.probeAs(scene, first);
    const others = first === undefined ? [] : [second?.account, systemAccount].filter((name) => name !== undefined);
    return xpr.untilLetIn([
      attempt(`for ${own} with an unknown key`, own, stranger(own)),
      ...others.map((name) => attempt(`for ${name} with the key of ${own}`, name, first ?? stranger())),
    ]);
  })
  .expects('refuse each request as not authenticated', (seen) => xpr.each(seen, turnedAway))
  .butAccepts('a request signed with the right key', rightlySigned)
  .advice(
    'Recover the key from the signature, and look for it among the keys of the account in the header, not of other accounts.',
  );

/** A timestamp in milliseconds; left to the checks of timestamps. */
const milliseconds = 'r20';

export const digestVariants = check('xpr/digest-variants', 'xpr.digest-variants')
  .given('agent', xpr.verifies)
  .when('the client signs other readings of the digest', async (scene) => {
    const caller = xpr.firstCaller(scene);
    const { scheme } = xpr.xprOf(scene);
    const right = await xpr.probeAs(scene, caller);
    const valid = await ownSigned(scene);
    const readings = xprText.misreadings(scheme, valid, caller.key).filter(({ id }) => id !== milliseconds);
    const { body, timestamp } = valid;
    // An agent that accepts three lines instead of five accepts requests that were signed for other recipients.
    const short = xpr.signed(scene, caller, { body, timestamp, scheme: { lines: 3 } }).signature;
    const others = scheme.lines === 5 ? [{ about: 'three lines, without recipient and chain', text: short }] : [];
    const seen = await xpr.untilLetIn(
      [...readings, ...others].map(({ about, text }) => ({
        about,
        send: () => xpr.send(scene, { ...valid, signature: text }),
      })),
    );
    return { right, seen };
  })
  .expects('accept none of them', ({ right, seen }) => {
    const spoken = seen.find(({ outcome }) => isAdmitted(outcome));
    const isRightIn = isAdmitted(right);
    if (spoken !== undefined) {
      return `the agent takes another digest (${spoken.about})${isRightIn ? '' : ' and refuses the right one'}`;
    }
    if (!isRightIn) return inconclusive(`the agent refused a correctly signed request (${describe(right)})`);
    return xpr.each(seen, turnedAway);
  })
  .advice(
    'Verify one digest only: the one of the library, hashed twice, with the hash of the body in lower-case digits and no line feed at the end.',
  );

export const signatureTwins = check('xpr/signature-twins', 'xpr.signature-twins')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('the client sends signatures in other spellings', async (scene) =>
    tried(scene, scene.agent, [
      ...spelledAs(scene, xprText.twins, () => true),
      ...spelledAs(scene, xprText.malformations, (id) => id === flippedHeader),
    ]),
  )
  .expects('refuse each request as not authenticated', ({ judgement }) => judgement)
  .advice(
    'Only one text should stand for a signature: s low, header 31 to 34, base58 without digits that mean nothing.',
  );

const ofNobody = source('the answer to an unknown account', async (scene) =>
  xpr.send(scene, xpr.signed(scene, xpr.xprOf(scene).stranger())),
);

export const unknownAccount = check('xpr/unknown-account', 'xpr.unknown-account')
  .given('agent', xpr.verifies)
  .given('answer', ofNobody)
  .when('the client signs for an unknown account', async ({ answer }) => answer)
  .expects('refuse the request as not authenticated', turnedAway)
  .butAccepts('a request of an account that is known', rightlySigned)
  .advice('Refuse with -32000 when get_account fails, for whatever reason: an account that cannot be read has no key.');

export const unknownAccountText = check('xpr/unknown-account-text', 'xpr.unknown-account-text')
  .given('agent', xpr.verifies)
  .given('answer', ofNobody)
  .when('the client signs for an unknown account', async ({ answer }) => answer)
  .expects('not show the answer of the chain', (outcome, scene) => {
    if (turnedAway(outcome) !== undefined || outcome.kind === 'not-sent') {
      return inconclusive(`the agent did not refuse the request as not authenticated: ${describe(outcome)}`);
    }
    const link = foreignLink(outcome.exchange, scene);
    const found = innards(outcome.exchange) ?? (link === undefined ? undefined : `an address: ${excerpt(link, 120)}`);
    return found === undefined ? undefined : `the refusal shows ${found}`;
  })
  .butAccepts('a request of an account that is known', rightlySigned)
  .advice('Answer with a text of your own, such as "unknown account", and write what the chain said into the log.');
