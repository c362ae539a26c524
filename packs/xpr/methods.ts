import {
  type CallOptions,
  check,
  inconclusive,
  isAdmitted,
  type Judgement,
  type Outcome,
  type Scene,
  turnedAway,
} from '../../src/kit/index.js';
import { rememberAdvice, turns } from './again.js';
import { rightlySigned, someCaller } from './defects.js';
import * as xpr from './shared/asking.js';
import * as xprText from './signing/index.js';

// Other checks probe with a read. These judge the two methods that change something. XPR document, Authentication.

/** Calls with these headers, correct or not. Canceling uses an unknown task, so that it changes nothing. */
const calls = (scene: Scene, about: string, options: CallOptions): readonly xpr.Attempt[] => [
  { about: `tasks/cancel ${about}`, send: () => scene.client.call('cancel', { id: scene.uuid() }, options) },
  { about: `message/send ${about}`, send: () => scene.client.call('send', { message: scene.say() }, options) },
];

/** An agent that accepts unsigned requests may have treated this as one. */
const refusedBy =
  (agent: xpr.Stance) =>
  (outcome: Outcome<unknown>): Judgement =>
    isAdmitted(outcome) && agent.unsigned === 'admitted'
      ? inconclusive('the agent may have accepted the request as an unsigned one')
      : turnedAway(outcome);

export const methodsSigned = check('xpr/methods-signed', 'xpr.headers-required')
  .given('agent', xpr.verifies)
  .when('the client cancels and sends with an account and no signature', (scene) => {
    const { query } = scene.client.own;
    const named = [xprText.headerNames.account, someCaller(scene).account] as const;
    return xpr.untilLetIn(calls(scene, 'without a signature', { credentials: { headers: [named], query } }));
  })
  .expects('refuse each request as not authenticated', (seen, { agent }) => xpr.each(seen, refusedBy(agent)))
  .butAccepts('a request with all of them', rightlySigned)
  .advice('Verify before the method is looked at, so that none is forgotten.');

export const methodsVerified = check('xpr/methods-verified', 'xpr.wrong-key')
  .given('agent', xpr.verifies)
  .when('the client cancels and sends, signed with a key of another account', (scene) => {
    const { as, stranger } = xpr.xprOf(scene);
    const caller = stranger(someCaller(scene).account);
    return xpr.untilLetIn(calls(scene, 'with an unknown key', { credentials: as(caller) }));
  })
  .expects('refuse each request as not authenticated', (seen, { agent }) => xpr.each(seen, refusedBy(agent)))
  .butAccepts('a request signed with the right key', rightlySigned)
  .advice('Verify before the method is looked at, so that none is forgotten.');

export const methodsOnce = check('xpr/methods-once', 'xpr.replay-same')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('a signed cancel and a signed message come twice', async (scene) => {
    const { dialect, own } = scene.client;
    const caller = xpr.firstCaller(scene);
    const { cancel, send } = dialect.operations;
    const bodies = [
      ['tasks/cancel', { method: cancel?.rpc, params: cancel?.params.encode({ id: scene.uuid() }) }, true],
      ['message/send', { method: send?.rpc, params: send?.params.encode({ message: scene.say() }) }, false],
    ] as const;
    const seen: xpr.Attempted[] = [];
    for (const [about, call, harmless] of bodies) {
      // Both come at once: a store that forgets in seconds is the matter of another check.
      await turns(scene, 2);
      const body = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: scene.uuid(), ...call }));
      const request = xpr.signed(scene, caller, { body });
      const options = { harmless, credentials: { headers: [], query: own.query } };
      const first = await xpr.send(scene, request, options);
      // Only an accepted request can be accepted again.
      if (!isAdmitted(first)) continue;
      seen.push({ about: `${about} again`, outcome: await xpr.send(scene, request, options) });
    }
    return seen;
  })
  .expects('accept each once', (seen) =>
    seen.length === 0 ? inconclusive('the agent accepted neither request the first time') : xpr.each(seen, turnedAway),
  )
  .advice(rememberAdvice);
