import {
  check,
  describe,
  inconclusive,
  isAdmitted,
  type Judgement,
  type Outcome,
  type Scene,
  turnedAway,
} from '../../src/kit/index.js';
import { accountForms } from './account-forms.js';
import { type Defect, defective, rightlySigned, signedOver, someCaller, tried } from './defects.js';
import * as xpr from './shared/asking.js';
import type { XprCaller } from './shared/scene.js';

// XPR document, Request Signing (Caller Side): three headers, each once, with a possible account name.

/** Values that programs use for a missing header, or for one that is not a number. */
const nothing = ['', 'undefined', 'null'];
const noNumber = ['', 'undefined', 'NaN'];

/** A missing or empty header, signed with the correct value or with what a program may read instead. */
const incomplete = (scene: Scene, caller: XprCaller, how: string, values: readonly string[]): readonly Defect[] => [
  ...signedOver(scene, caller, `${how} X-XPR-Account`, { account: values }, 'account', [caller.account, ...nothing]),
  defective(scene, caller, `${how} X-XPR-Timestamp`, { timestamp: values }),
  ...signedOver(scene, caller, `${how} X-XPR-Timestamp`, { timestamp: values }, 'timestamp', noNumber),
];

export const headersRequired = check('xpr/headers-required', 'xpr.headers-required')
  .given('agent', xpr.verifies)
  .when('the client leaves out one of the three headers, or all', async (scene) => {
    const caller = someCaller(scene);
    const defects = incomplete(scene, caller, 'no', []);
    const unsigned: readonly Defect[] = [
      defective(scene, caller, 'no X-XPR-Signature', { signature: () => [] }),
      { about: 'none of the headers', headers: () => [] },
    ];
    // Where signatures are optional, a request without one has no defect; other checks judge which caller the agent
    // sees in it.
    return tried(scene, scene.agent, scene.agent.unsigned === 'admitted' ? defects : [...defects, ...unsigned]);
  })
  .expects('refuse each request as not authenticated', ({ judgement }) => judgement)
  .butAccepts('a request with all of them', rightlySigned)
  .advice('A header that is not there must not become undefined or NaN: look for all three before anything else.');

export const emptyHeader = check('xpr/empty-header', 'xpr.empty-header')
  .given('agent', xpr.verifies)
  .when('the client sends each of the three headers empty', async (scene) => {
    const caller = someCaller(scene);
    return tried(scene, scene.agent, [
      ...incomplete(scene, caller, 'an empty', ['']),
      defective(scene, caller, 'an empty X-XPR-Signature', { signature: () => [''] }),
    ]);
  })
  .expects('refuse each request as not authenticated', ({ judgement }) => judgement)
  .butAccepts('the same request with all headers filled in', rightlySigned)
  .advice('Treat an empty header as a missing one: it is not an account, a time or a signature.');

const spellings: readonly (readonly [about: string, spell: (name: string) => string])[] = [
  ['lower-case', (name) => name.toLowerCase()],
  ['upper-case', (name) => name.toUpperCase()],
];

export const headerCase = check('xpr/header-case', 'xpr.header-case')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('the client sends the header names in lower and upper case', async (scene) => {
    const caller = xpr.firstCaller(scene);
    const answers: { readonly about: string; readonly outcome: Outcome<unknown> }[] = [];
    for (const [about, spell] of spellings) {
      await xpr.xprOf(scene).as(caller).signer?.turn();
      const request = xpr.signed(scene, caller);
      const headers = xpr.headersOf(request).map(([name, value]) => [spell(name), value] as const);
      answers.push({ about, outcome: await xpr.post(scene, { body: request.body, headers }) });
    }
    return answers;
  })
  .expects('accept the request', (answers) => {
    const refused = answers.find(({ outcome }) => xpr.letIn(outcome) !== undefined);
    const judgement = refused && xpr.letIn(refused.outcome);
    return typeof judgement === 'string' ? `with ${refused?.about} names: ${judgement}` : judgement;
  })
  .advice('Names of headers are the same in any case (RFC 9110 §5.1), and proxies write them in lower case.');

export const headerTwice = check('xpr/header-twice', 'xpr.header-twice')
  .given('agent', xpr.verifies)
  .when('the client sends two accounts, or two signatures', async (scene) => {
    const caller = xpr.firstCaller(scene);
    const { account } = caller;
    const { second, stranger } = xpr.xprOf(scene);
    const other = second?.account ?? stranger().account;
    const wrong = xpr.signed(scene, stranger(account)).signature;
    const two = (order: string) => `two accounts, its own ${order}`;
    const both = (order: string) => `two signatures, the right one ${order}`;
    return tried(scene, scene.agent, [
      defective(scene, caller, two('first'), { account: [account, other] }),
      defective(scene, caller, two('last'), { account: [other, account] }),
      defective(scene, caller, both('first'), { signature: (right) => [right, wrong] }),
      defective(scene, caller, both('last'), { signature: (right) => [wrong, right] }),
    ]);
  })
  .expects('refuse each request as not authenticated', ({ judgement }) => judgement)
  .butAccepts('one of each', rightlySigned)
  .advice('A proxy in front of the agent may read the other header of the two. Refuse such requests.');

/** Like `turnedAway`, but a server error fails. */
const turnedAwayCleanly = (outcome: Outcome<unknown>): Judgement => {
  const status = outcome.kind === 'invalid-response' ? outcome.exchange.response?.status : undefined;
  return status !== undefined && status >= 500 ? describe(outcome) : turnedAway(outcome);
};

export const accountFormsRefused = check('xpr/account-forms', 'xpr.account-forms')
  .given('agent', xpr.verifies)
  .when('the client signs for texts that resemble account names', async (scene) => {
    const caller = someCaller(scene);
    const { account } = caller;
    const forms = accountForms(account, xpr.xprOf(scene).stranger().account);
    const defects = forms.flatMap(([about, text]) => {
      const named = `an account with ${about}`;
      // A name without letters has no upper-case form.
      return text === account ? [] : signedOver(scene, caller, named, { account: [text] }, 'account', [text, account]);
    });
    return tried(
      scene,
      scene.agent,
      defects.map((defect) => ({ ...defect, judge: turnedAwayCleanly })),
    );
  })
  .expects('refuse each request as not authenticated', ({ judgement }) => judgement)
  .butAccepts('the account in its own spelling', rightlySigned)
  .advice('An account is 1 to 12 of a-z, 1-5 and dots, the last no dot. Refuse other texts before the chain is asked.');

/** Bytes of one header value: what many servers accept for all headers together. */
const largeSize = 16 * 1024;
const prefix = 'SIG_K1_';

/** Silence counts only if the agent still answers other requests. */
const answers = async (scene: Scene): Promise<boolean> =>
  (await xpr.post(scene, { body: xpr.probeBody(scene), headers: [] })).kind !== 'invalid-response';

const refusedAtAll = (outcome: Outcome<unknown>): Judgement => {
  if (outcome.kind === 'refusal' && !isAdmitted(outcome) && outcome.error !== 'InternalError') return undefined;
  if (outcome.kind === 'invalid-response' && outcome.fault === 'timeout') return describe(outcome);
  return turnedAwayCleanly(outcome);
};

export const headerLarge = check('xpr/header-large', 'xpr.header-large')
  .given('agent', xpr.verifies)
  .when('the client fills each of the three headers up to 16 KiB', async (scene) => {
    const caller = someCaller(scene);
    const now = String(xpr.xprOf(scene).seconds());
    const dotted = caller.account.padEnd(largeSize, '.');
    const zeros = now.padStart(largeSize, '0');
    const ones = (right: string): string =>
      prefix + right.slice(prefix.length).padStart(largeSize - prefix.length, '1');
    const defects: readonly Defect[] = [
      defective(scene, caller, 'an account of 16 KiB', { account: [dotted] }),
      defective(scene, caller, 'a timestamp of 16 KiB', { timestamp: [zeros] }, { timestamp: now }),
      defective(scene, caller, 'a signature of 16 KiB', { signature: (right) => [ones(right)] }),
    ];
    const trial = await tried(
      scene,
      scene.agent,
      defects.map((defect) => ({ ...defect, judge: refusedAtAll })),
    );
    return { ...trial, answers: typeof trial.judgement !== 'string' || (await answers(scene)) };
  })
  .expects('refuse each request, in time', ({ judgement, answers: isThere }) =>
    isThere ? judgement : inconclusive('the agent no longer answers'),
  )
  .butAccepts('headers of the usual size', rightlySigned)
  .advice(
    'Set a limit for the size of headers, and answer 431 or refuse: do not parse what is too long for a name or a signature.',
  );
