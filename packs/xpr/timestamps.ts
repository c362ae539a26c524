import {
  check,
  describe,
  inconclusive,
  isAdmitted,
  type Judgement,
  type Outcome,
  type Scene,
  source,
  turnedAway,
} from '../../src/kit/index.js';
import { type Defect, defective, knowsTime, rightlySigned, signedOver, someCaller, tried } from './defects.js';
import * as xpr from './shared/asking.js';
import type { XprCaller } from './shared/scene.js';

// XPR document, Request Signing and Request Verification: Unix seconds, within five minutes of the agent's time.

const timeUnknown = 'the agent sends no Date header, and the timestamp is half a minute from the edge of the window';

/** Seconds: two hours, far outside the window. */
const longAgo = 7200;

export const timestampTwice = check('xpr/timestamp-twice', 'xpr.timestamp-twice')
  .given('agent', xpr.verifies)
  .when('the client sends two timestamps', async (scene) => {
    const caller = xpr.firstCaller(scene);
    const seconds = xpr.xprOf(scene).seconds();
    const now = String(seconds);
    const old = String(seconds - longAgo);
    // An agent may compare one of them with the clock, and verify the signature over the other one or over both.
    return tried(scene, scene.agent, [
      ...signedOver(scene, caller, 'now before an old timestamp', { timestamp: [now, old] }, 'timestamp', [
        now,
        old,
        `${now}, ${old}`,
      ]),
      ...signedOver(scene, caller, 'an old timestamp before now', { timestamp: [old, now] }, 'timestamp', [now, old]),
    ]);
  })
  .expects('refuse each request as not authenticated', ({ judgement }) => judgement)
  .butAccepts('one of them', rightlySigned)
  .advice(
    'Servers join two headers with a comma, and parseInt reads the first number. Refuse what is not digits only.',
  );

/** A header with this text, and a signature over the same text. */
const stamped = (scene: Scene, caller: XprCaller, about: string, text: string): Defect =>
  defective(scene, caller, `${about} (${text})`, { timestamp: [text] }, { timestamp: text });

/** Seconds from the time of sending; repeated after a wait, it would be another time. */
const away = (scene: Scene, caller: XprCaller, about: string, seconds: number): Defect => ({
  about,
  impatient: true,
  headers: (body) => stamped(scene, caller, about, String(xpr.xprOf(scene).seconds() + seconds)).headers(body),
});

export const timestampWindow = check('xpr/timestamp-window', 'xpr.timestamp-window')
  .given('agent', xpr.verifies)
  .when('the client signs for times that are more than five minutes away', async (scene) => {
    const caller = xpr.firstCaller(scene);
    const isKnown = knowsTime(scene, scene.agent.unsignedOutcome);
    const judge = (outcome: Outcome<unknown>): Judgement =>
      isAdmitted(outcome) && !isKnown ? inconclusive(timeUnknown) : turnedAway(outcome);
    return tried(scene, scene.agent, [
      away(scene, caller, 'a time an hour ago', -3600),
      away(scene, caller, 'a time in an hour', 3600),
      stamped(scene, caller, 'the beginning of time', '0'),
      stamped(scene, caller, 'a time before that', '-1'),
      stamped(scene, caller, 'the negative of now', String(-xpr.xprOf(scene).seconds())),
      { ...away(scene, caller, 'a time 330 s ago', -330), judge },
      { ...away(scene, caller, 'a time in 330 s', 330), judge },
    ]);
  })
  .expects('refuse each request as not authenticated', ({ judgement }) => judgement)
  .butAccepts('the present time', rightlySigned)
  .advice(
    'Compare the difference to the clock in both directions, and refuse a value that is not a number: no comparison with NaN is true.',
  );

const inside = source('requests signed for 240 s ago and for 240 s ahead', async (scene) => {
  const caller = xpr.firstCaller(scene);
  const answers: { readonly about: string; readonly outcome: Outcome<unknown> }[] = [];
  for (const seconds of [-240, 240]) {
    await xpr.xprOf(scene).as(caller).signer?.turn();
    const timestamp = xpr.xprOf(scene).seconds() + seconds;
    const outcome = await xpr.send(scene, xpr.signed(scene, caller, { timestamp }), { impatient: true });
    answers.push({ about: seconds < 0 ? 'for 240 s ago' : 'for 240 s ahead', outcome });
  }
  return answers;
});

// AMBX-12: past and future.
export const timestampInside = check('xpr/timestamp-inside', 'xpr.timestamp-inside')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .given('answers', inside)
  .when('the client signs for times that are four minutes away', async ({ answers }) => answers)
  .expects('accept the request', (answers, scene) => {
    const refused = answers.find(({ outcome }) => xpr.letIn(outcome) !== undefined);
    if (refused === undefined) return undefined;
    const judgement = xpr.letIn(refused.outcome);
    if (typeof judgement === 'string' && !knowsTime(scene, scene.control)) return inconclusive(timeUnknown);
    return typeof judgement === 'string' ? `signed ${refused.about}: ${describe(refused.outcome)}` : judgement;
  })
  .advice('Clocks of callers go wrong both ways. Is the clock of the agent right?');

export const timestampMilliseconds = check('xpr/timestamp-milliseconds', 'xpr.timestamp-milliseconds')
  .given('agent', xpr.verifies)
  .when('the client signs and sends milliseconds', async (scene) => {
    const now = String(xpr.xprOf(scene).seconds());
    const sent = { timestamp: [`${now}000`] };
    const texts = [`${now}000`, now];
    const defects = signedOver(scene, xpr.firstCaller(scene), 'milliseconds', sent, 'timestamp', texts);
    return tried(scene, scene.agent, defects);
  })
  .expects('refuse each request as not authenticated', ({ judgement }) => judgement)
  .butAccepts('seconds', rightlySigned)
  .advice(
    'Take the number for seconds, and refuse what is outside the window: do not guess from its size that it counts milliseconds.',
  );

/** The UTF-8 bytes in a header, where each character is one byte. */
const asHeader = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const fullWidth = (text: string): string =>
  text.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));

export const timestampGrammar = check('xpr/timestamp-grammar', 'xpr.timestamp-grammar')
  .given('agent', xpr.verifies)
  .when('the timestamp is not a number of seconds', (scene) => {
    const caller = someCaller(scene);
    const now = xpr.xprOf(scene).seconds();
    const date = new Date(now * 1000).toISOString();
    const wide = fullWidth(String(now));
    const forms: readonly (readonly [about: string, sent: string, signed: readonly string[]])[] = [
      ['a word', 'abc', ['abc', 'NaN']],
      ['NaN', 'NaN', ['NaN']],
      ['Infinity', 'Infinity', ['Infinity', 'NaN']],
      ['an exponent', '1e9', ['1e9', '1000000000']],
      ['hexadecimal digits', `0x${now.toString(16)}`, [`0x${now.toString(16)}`, String(now)]],
      ['a date', date, [date, String(now)]],
      // No timestamp at all; `xpr/empty-header` tries this too.
      ['nothing', '', ['', 'NaN', '0']],
      ['full-width digits', asHeader(wide), [wide, asHeader(wide), String(now)]],
    ];
    const defects = forms.flatMap(([about, sent, signed]) =>
      signedOver(scene, caller, `${about} as timestamp`, { timestamp: [sent] }, 'timestamp', signed),
    );
    return tried(scene, scene.agent, defects);
  })
  .expects('refuse each request as not authenticated', ({ judgement }) => judgement)
  .butAccepts('the same request with a time', rightlySigned)
  .advice('A timestamp is digits and nothing else: ^[0-9]{1,12}$. A comparison with NaN is never true.');

export const timestampPrefix = check('xpr/timestamp-prefix', 'xpr.timestamp-prefix')
  .given('agent', xpr.verifies)
  .when('the client sends another spelling of the signed timestamp', async (scene) => {
    const caller = xpr.firstCaller(scene);
    const now = String(xpr.xprOf(scene).seconds());
    const respelled: readonly (readonly [about: string, sent: string])[] = [
      ['a tail', `${now}abc`],
      ['a fraction', `${now}.9`],
      ['a sign', `+${now}`],
      ['a zero in front', `0${now}`],
      ['an exponent', `${now}e5`],
      ['an exponent of nothing', `${now}e0`],
    ];
    // Signed as sent, these only begin with a number. A sign, a leading zero or a fraction would be another spelling of
    // a number; its signature would be valid, since only the caller could have made it.
    const signedAsSent = [`${now}abc`, `${now}e5`].map((text) =>
      stamped(scene, caller, 'a timestamp that only begins with a number', text),
    );
    return tried(scene, scene.agent, [
      ...respelled.map(([about, sent]) =>
        defective(scene, caller, `${about} (${sent}), signed without`, { timestamp: [sent] }, { timestamp: now }),
      ),
      ...signedAsSent,
    ]);
  })
  .expects('refuse each request as not authenticated', ({ judgement }) => judgement)
  .butAccepts('the number itself', rightlySigned)
  .advice(
    'parseInt takes what only begins with a number, so that others can re-spell a signed timestamp. Match the text.',
  );
