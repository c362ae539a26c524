import { check, inconclusive, isAdmitted, type Outcome, type Scene, turnedAway } from '../../src/kit/index.js';
import {
  holders,
  keyText,
  mustTakeUsual,
  type Permission,
  permission,
  probeOf,
  usualAccount,
  usualAdmitted,
} from './holders.js';
import * as xpr from './shared/asking.js';
import * as xprText from './signing/index.js';
import { authenticated } from './signing.js';

// Which keys may sign for an account, on the kit's chain. XPR document, Request Verification.

export const activeKeys = check('xpr/active-keys', 'xpr.signed-accepted')
  .given('agent', xpr.verifies)
  .when('the keys of accounts are held in other ways', async (scene) => {
    await mustTakeUsual(scene);
    const attempts = [
      probeOf(scene, 'the second of two keys', (next) => {
        const signer = next();
        return { signer, permissions: [permission('owner', next()), permission('active', next(), signer)] };
      }),
      probeOf(scene, 'a key of more weight than needed', (next) => {
        const signer = next();
        const keys = [{ key: keyText(signer), weight: 3 }];
        return { signer, permissions: [{ name: 'active', threshold: 2, keys }, permission('owner', next())] };
      }),
    ];
    const seen: xpr.Attempted[] = [];
    for (const { about, send } of attempts) seen.push({ about, outcome: await send() });
    const { account, next } = holders(scene);
    const signer = next();
    const permissions = [permission('active', signer)];
    const outcome = await xpr.withAccount(scene, account, permissions, async (stub) => {
      await stub.setAccount({ name: account, permissions, legacyKeys: true });
      return xpr.probeAs(scene, signer);
    });
    return [...seen, { about: 'a key that the chain gives as EOS…', outcome }];
  })
  .expects('accept each request', (seen) => xpr.each(seen, authenticated))
  .advice(
    'Compare with every key of `active`, spelled EOS… as well as PUB_K1_…, and let a weight above the threshold count too.',
  );

export const otherCurves = check('xpr/other-curves', 'xpr.other-curves')
  .given('agent', xpr.verifies)
  .when('the client signs with keys of other curves', async (scene) => {
    const { scheme } = xpr.xprOf(scene);
    const { account, next } = holders(scene);
    const usualHolder = next();
    const { secret } = next().key;
    const host = 'wallet.example';
    const text = { r1: xprText.publicKeyR1(secret), wa: xprText.webAuthnKey(secret, host) };
    const keys = [
      ...permission('active', usualHolder).keys,
      { key: xprText.publicKeyText(text.r1, 'R1'), weight: 1 },
      { key: xprText.publicKeyText(text.wa, 'WA'), weight: 1 },
    ];
    return xpr.withAccount(scene, account, [{ name: 'active', threshold: 1, keys }], async () => {
      const signedWith = (write: (hash: Uint8Array) => string) => () => {
        const request = xpr.signed(scene, usualHolder);
        const hash = xprText.signedHash(xprText.digest(scheme, request));
        return xpr.send(scene, { ...request, signature: write(hash) });
      };
      return xpr.untilLetIn([
        {
          about: 'a signature of the curve R1',
          send: signedWith((hash) => xprText.signatureText(xprText.signR1(hash, secret), 'R1')),
        },
        {
          about: 'a signature of a browser (WebAuthn)',
          send: signedWith((hash) => xprText.signatureText(xprText.signWebAuthn(hash, secret, host), 'WA')),
        },
      ]);
    });
  })
  .expects('refuse each request as not authenticated', (seen, { agent }) =>
    xpr.each(seen, (outcome) =>
      agent.unsigned === 'admitted' && isAdmitted(outcome)
        ? inconclusive('the agent may have accepted the request as an unsigned one')
        : turnedAway(outcome),
    ),
  )
  .butAccepts(usualAccount, usualAdmitted)
  .advice('Accept SIG_K1_ only: refuse SIG_R1_ and SIG_WA_ before a key is recovered.');

export const threshold = check('xpr/threshold', 'xpr.threshold')
  .given('agent', xpr.verifies)
  .when('the client signs with keys of too little weight', async (scene) =>
    xpr.untilLetIn([
      probeOf(scene, 'one of two keys that are both needed', (next) => {
        const signer = next();
        const both = permission('active', signer, next());
        return { signer, permissions: [{ ...both, threshold: 2 }, permission('owner', next())] };
      }),
      probeOf(scene, 'one of two keys of a2a that are both needed', (next) => {
        const signer = next();
        const both = { ...permission('a2a', signer, next()), threshold: 2 };
        return { signer, permissions: [both, permission('active', next()), permission('owner', next())] };
      }),
      probeOf(scene, 'the only key, which needs another account beside it', (next) => {
        const signer = next();
        const accounts = [{ actor: 'eosio', permission: 'active', weight: 1 }];
        return { signer, permissions: [{ ...permission('active', signer), threshold: 2, accounts }] };
      }),
    ]),
  )
  .expects('refuse each request as not authenticated', (seen) => xpr.each(seen, turnedAway))
  .butAccepts(usualAccount, usualAdmitted)
  .advice(
    'Compare the weight of the one key that signed with the threshold of its permission: do not add up what others could sign.',
  );

/** Only another account may act for the account. */
const another = [{ actor: 'eosio', permission: 'active', weight: 1 }];
/** Accounts for which no key of `active` can sign. */
const keyless: readonly (readonly [about: string, active: readonly Permission[]])[] = [
  ['active is another account', [{ ...permission('active'), accounts: another }]],
  ['active has no keys', [permission('active')]],
  ['the account has no active key', []],
];

export const noActiveKey = check('xpr/no-active-key', 'xpr.no-active-key')
  .given('agent', xpr.verifies)
  .when('the client signs with the key of the owner', async (scene) =>
    xpr.untilLetIn([
      probeOf(scene, 'active has another key', (next) => {
        const signer = next();
        return { signer, permissions: [permission('active', next()), permission('owner', signer)] };
      }),
      ...keyless.map(([about, active]) =>
        probeOf(scene, about, (next) => {
          const signer = next();
          return { signer, permissions: [...active, permission('owner', signer)] };
        }),
      ),
    ]),
  )
  .expects('refuse each request as not authenticated', (seen) => xpr.each(seen, turnedAway))
  .butAccepts(usualAccount, usualAdmitted)
  .advice(
    'Compare with the keys of `active` only. Refuse where it is missing, empty or has accounts only, and take no other permission instead.',
  );

export const keylessAccount = check('xpr/keyless-account', 'xpr.wrong-key')
  .given('agent', xpr.verifies)
  .when('the client signs for an account without a usable key', async (scene) =>
    xpr.untilLetIn(
      [...keyless, ['the account has no permission', undefined] as const].map(([about, active]) =>
        probeOf(scene, about, (next) => ({
          signer: next(),
          permissions: active === undefined ? [] : [...active, permission('owner', next())],
        })),
      ),
    ),
  )
  .expects('refuse each request as not authenticated', (seen) => xpr.each(seen, turnedAway))
  .butAccepts(usualAccount, usualAdmitted)
  .advice('Refuse if the account has no key to compare with: an empty list or a missing permission does not match.');

/** Signed with a key of the permission `a2a` that is not in `active`. */
const ofA2a = (scene: Scene): Promise<Outcome<unknown>> =>
  probeOf(scene, 'a2a', (next) => {
    const signer = next();
    return {
      signer,
      permissions: [permission('owner', next()), permission('active', next()), permission('a2a', signer)],
    };
  }).send();

export const a2aKeyRefused = check('xpr/a2a-key-refused', 'xpr.a2a-key-refused')
  .given('agent', xpr.verifies)
  .when('the client signs with a key of the permission a2a', ofA2a)
  .expects('refuse the request as not authenticated', turnedAway)
  .butAccepts(usualAccount, usualAdmitted)
  .advice('Choose the permission by its perm_name, `active`, before you collect keys.');

export const a2aKeyAccepted = check('xpr/a2a-key-accepted', 'xpr.a2a-key-accepted')
  .given('agent', xpr.verifies)
  .when('the client signs with a key of the permission a2a', async (scene) => {
    await mustTakeUsual(scene);
    return ofA2a(scene);
  })
  .expects('accept the request', authenticated)
  .advice('Read the permission `a2a` as well as `active` from get_account, and compare with the keys of both.');
