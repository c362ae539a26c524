import {
  check,
  describe,
  isAdmitted,
  type Judgement,
  type Outcome,
  PreconditionUnmet,
  type Scene,
  turnedAway,
} from '../../src/kit/index.js';
import * as xpr from './shared/asking.js';
import { authenticated, ownSigned } from './signing.js';

// A signature covers the bytes of the body. XPR document, Request Signing, Security Considerations.

const encoder = new TextEncoder();
const bytes = (text: string): Uint8Array => encoder.encode(text);
const textOf = (body: Uint8Array): string => new TextDecoder().decode(body);

/** The probe as an object, to be serialised in other ways. */
const request = (scene: Scene): { readonly [name: string]: unknown } => JSON.parse(textOf(xpr.probeBody(scene)));

/** Bodies like the probe whose text a server could easily change before hashing it. */
const forms: readonly (readonly [about: string, write: (scene: Scene) => string])[] = [
  ['composed Unicode', (scene) => JSON.stringify({ ...request(scene), id: `Zażółć 漢字 🌍 ${scene.uuid()}` })],
  ['decomposed Unicode', (scene) => JSON.stringify({ ...request(scene), id: `e\u0301 a\u030a ${scene.uuid()}` })],
  [
    'characters written as escapes',
    (scene) => JSON.stringify({ ...request(scene), id: scene.uuid() }).replace('"id":"', '"id":"\\u00e9\\/\\u0041'),
  ],
  ['lines and indentation', (scene) => JSON.stringify(request(scene), null, 2)],
  ['CRLF, also at the end', (scene) => `${JSON.stringify(request(scene), null, 2).replaceAll('\n', '\r\n')}\r\n`],
  ['another order of members', (scene) => JSON.stringify(Object.fromEntries(Object.entries(request(scene)).reverse()))],
];

export const bodyTexts = check('xpr/body-texts', 'xpr.body-texts')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('the client signs bodies in other spellings', async (scene) => {
    const seen: xpr.Attempted[] = [];
    for (const [about, write] of forms) {
      const outcome = await xpr.send(scene, await ownSigned(scene, { body: bytes(write(scene)) }));
      seen.push({ about, outcome });
      if (authenticated(outcome) !== undefined) break;
    }
    return seen;
  })
  .expects('accept each request', (seen) => xpr.each(seen, authenticated))
  .advice('Is the hash taken of the bytes as they came, before anything parses or decodes them?');

export const bodyAgain = check('xpr/body-again', 'xpr.signed-accepted')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('the client signs the same body for two seconds', async (scene) => {
    const seconds = xpr.xprOf(scene).seconds();
    const first = await ownSigned(scene, { timestamp: seconds - 1 });
    const seen = [{ about: 'the first time', outcome: await xpr.send(scene, first) }];
    const second = await ownSigned(scene, { body: first.body, timestamp: seconds });
    return [...seen, { about: 'the second time', outcome: await xpr.send(scene, second) }];
  })
  .expects('accept both requests', (seen) => xpr.each(seen, authenticated))
  .advice('Two requests are one when account, timestamp and body are the same: callers may ask the same again.');

/** Changes the probe's last hexadecimal digit, which is part of the task id. */
const withOtherDigit = (text: string): string =>
  text.replace(/[0-9a-f](?=[^0-9a-f]*$)/, (digit) => (digit === '0' ? '1' : '0'));

export const bodyTampered = check('xpr/body-tampered', 'xpr.body-tampered')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('the body changes after it was signed', async (scene) => {
    const original = await ownSigned(scene);
    const text = textOf(original.body);
    const value = JSON.parse(text) as object;
    const attempt = (about: string, body: string): xpr.Attempt => ({
      about,
      send: () => xpr.send(scene, { ...original, body: bytes(body) }),
    });
    const before = await xpr.untilLetIn([
      attempt('one byte changed', withOtherDigit(text)),
      attempt('a line feed added at the end', `${text}\n`),
      attempt('written anew', JSON.stringify(value, null, 1)),
      attempt('members in another order', JSON.stringify(Object.fromEntries(Object.entries(value).reverse()))),
    ]);
    // An agent may refuse an empty body before it looks at the signature.
    const empty = await xpr.untilLetIn([attempt('emptied', '')]);
    if ([...before, ...empty].some(({ outcome }) => isAdmitted(outcome))) return { tampered: before, empty };
    const own = await xpr.send(scene, original);
    if (!isAdmitted(own))
      throw new PreconditionUnmet(`the agent refused the body as the client signed it: ${describe(own)}`);
    const after = await xpr.untilLetIn([attempt('one byte changed, after the right one', withOtherDigit(text))]);
    return { tampered: [...before, ...after], empty };
  })
  .expects('refuse the request as not authenticated', ({ tampered, empty }) =>
    xpr.each(
      [...tampered, ...empty.filter(({ outcome }) => outcome.kind !== 'refusal' || isAdmitted(outcome))],
      turnedAway,
    ),
  )
  .advice(
    'Hash the bytes of the body as they came, before anything is parsed, and verify each request anew: do not trim, order or write it again.',
  );

/** The place of a byte that is invalid in UTF-8. */
const hole = '\u0000';

/** The text with bytes in place of `hole`. */
function filled(text: string, ...filling: readonly number[]): Uint8Array {
  const [before = '', after = ''] = text.split(hole);
  return Uint8Array.from([...bytes(before), ...filling, ...bytes(after)]);
}

/** No JSON text: an authentication error passes, and so do the errors for an unreadable body. */
function notLetIn(outcome: Outcome<unknown>): Judgement {
  const isNone = outcome.kind === 'refusal' && ['ParseError', 'InvalidRequest'].includes(outcome.error ?? '');
  return isNone ? undefined : turnedAway(outcome);
}

export const invalidUtf8 = check('xpr/invalid-utf8', 'xpr.invalid-utf8')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('bodies with invalid UTF-8 come under one signature', async (scene) => {
    const written = JSON.stringify({ ...request(scene), id: `h${scene.uuid()}` }).replace('"id":"h', `"id":"${hole}`);
    const body = filled(written, 0xff);
    const other = filled(written, 0xfe);
    const replaced = await ownSigned(scene, { body: filled(written, 0xef, 0xbf, 0xbd) });
    const dropped = xpr.signed(scene, xpr.firstCaller(scene), { body: filled(written) });
    const seen = await xpr.untilLetIn([
      {
        about: 'signed with the replacement character in its place',
        send: () => xpr.send(scene, { ...replaced, body }),
      },
      { about: 'signed without the byte', send: () => xpr.send(scene, { ...dropped, body }) },
    ]);
    if (seen.some(({ outcome }) => isAdmitted(outcome))) return seen;
    const raw = await ownSigned(scene, { body });
    // The agent decides whether it accepts such a body at all.
    await xpr.send(scene, raw);
    const second = await xpr.untilLetIn([
      { about: 'signed for another invalid body', send: () => xpr.send(scene, { ...raw, body: other }) },
    ]);
    return [...seen, ...second];
  })
  .expects('accept only the body that was signed', (seen) => xpr.each(seen, notLetIn))
  .advice('Hash the bytes before you decode them: decoding replaces or drops bytes that are not UTF-8.');
