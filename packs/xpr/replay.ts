import {
  check,
  comesAgain,
  describe,
  inconclusive,
  isAdmitted,
  type Judgement,
  type Outcome,
  type PostOptions,
  PreconditionUnmet,
  type Scene,
  sleep,
  turnedAway,
  withoutSlashes,
} from '../../src/kit/index.js';
import { accepted, again, rememberAdvice, turns } from './again.js';
import * as xpr from './shared/asking.js';
import * as xprText from './signing/index.js';

export { otherAudience } from './audience.js';
export { replayAhead, replayLate } from './replay-late.js';

// Captured requests that are sent again. XPR document, Security Considerations.

export const same = check('xpr/replay-same', 'xpr.replay-same')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('an accepted request comes again at once, later, or after another', async (scene) => {
    const request = await accepted(scene);
    return xpr.untilLetIn([
      { about: 'at once', send: () => again(scene, request) },
      {
        about: 'five seconds later',
        async send() {
          await sleep(scene.clock, 5000);
          return again(scene, request);
        },
      },
      {
        about: 'after another one',
        async send() {
          await accepted(scene);
          return again(scene, request);
        },
      },
    ]);
  })
  .expects('refuse it each time', (seen) => xpr.each(seen, turnedAway))
  .advice(rememberAdvice);

const copies = 5;

async function sendCopies(scene: Scene): Promise<readonly Outcome<unknown>[]> {
  await turns(scene, copies);
  const request = xpr.signed(scene, xpr.firstCaller(scene));
  return Promise.all(Array.from({ length: copies }, () => xpr.send(scene, request)));
}

function oneLetIn(outcomes: readonly Outcome<unknown>[]): Judgement {
  const letIn = outcomes.filter(isAdmitted).length;
  if (letIn > 1) return `${letIn} of ${copies} copies were accepted`;
  const first = outcomes.find((outcome) => !isAdmitted(outcome));
  if (letIn === 0 && first !== undefined)
    return inconclusive(`the agent accepted none of the copies: ${describe(first)}`);
  return xpr.each(
    outcomes.filter((outcome) => !isAdmitted(outcome)).map((outcome) => ({ about: 'of the copies', outcome })),
    turnedAway,
  );
}

export const parallel = check('xpr/replay-parallel', 'xpr.replay-parallel')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('5 copies of one request come at once', sendCopies)
  .expects('accept at most one', (first, scene) => comesAgain(first, oneLetIn, () => sendCopies(scene)))
  .advice(`${rememberAdvice} Nothing may be awaited between the look and the note.`);

/** An agent that accepts unsigned requests may treat an unreadable one as unsigned: that is not a replay. */
const respelled =
  (agent: xpr.Stance) =>
  (outcome: Outcome<unknown>): Judgement =>
    isAdmitted(outcome) && agent.unsigned === 'admitted'
      ? inconclusive(
          `the agent also accepts unsigned requests and may have ignored the signature: ${describe(outcome)}`,
        )
      : turnedAway(outcome);

const twins = ['e01', 'e03', 'e05'];

export const twin = check('xpr/replay-twin', 'xpr.replay-twin')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('an accepted request comes again with another spelling of its signature', async (scene) => {
    const request = await accepted(scene);
    const spellings = xprText.twins(request.signature).filter(({ id }) => twins.includes(id));
    return xpr.untilLetIn(
      spellings.map(({ about, text }) => ({ about, send: () => again(scene, request, { signature: text }) })),
    );
  })
  .expects('refuse it each time', (seen, { agent }) => xpr.each(seen, respelled(agent)))
  .advice(`${rememberAdvice} The text of a signature has many spellings and does not identify a request.`);

/** Texts that lenient parsers read as the same number. */
const spelled = (seconds: string): readonly string[] => [`+${seconds}`, `0${seconds}`, `${seconds}.0`];

export const timestamp = check('xpr/replay-timestamp', 'xpr.replay-timestamp')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('an accepted request comes again with another spelling of its timestamp', async (scene) => {
    const request = await accepted(scene);
    return xpr.untilLetIn(
      spelled(request.timestamp).map((text) => ({
        about: `with ${text}`,
        send: () => again(scene, request, { timestamp: text }),
      })),
    );
  })
  .expects('refuse it each time', (seen, { agent }) => xpr.each(seen, respelled(agent)))
  .advice(`${rememberAdvice} A timestamp is digits only.`);

/** Other ways to reach the agent, where there are any: the signature covers none of them. */
function ways(scene: Scene): readonly (readonly [about: string, options: PostOptions])[] {
  const at = (change: (url: URL) => void): string => {
    const url = new URL(scene.client.endpoint);
    change(url);
    return url.href;
  };
  const { endpoint } = scene.client;
  const slashed = at((url) => {
    url.pathname = url.pathname.endsWith('/') ? withoutSlashes(url.pathname) : `${url.pathname}/`;
  });
  const upper = at((url) => {
    url.pathname = url.pathname.toUpperCase();
  });
  const all: readonly (readonly [string, PostOptions])[] = [
    ['to another Host', { headers: [['Host', 'other.invalid']] }],
    ['with or without a slash at the end of the path', { url: slashed }],
    ['to the path in upper case', { url: upper }],
    ['with a query', { url: at((url) => url.searchParams.append('again', '1')) }],
    ['as application/json; charset=utf-8', { contentType: 'application/json; charset=utf-8' }],
    ['as text/plain', { contentType: 'text/plain' }],
  ];
  // For the root path, both spellings are the same.
  return all.filter(([, { url }]) => url === undefined || url !== endpoint);
}

/** Other servers may answer at another address: only the agent's own answer shows that the request was accepted. */
function keptOut(outcome: Outcome<unknown>): Judgement {
  if (outcome.kind === 'refusal' && !isAdmitted(outcome) && outcome.error !== 'InternalError') return undefined;
  // A redirect, or a page of another server, accepts nothing either.
  if (outcome.kind === 'invalid-response' && outcome.exchange.response !== undefined) return undefined;
  return turnedAway(outcome);
}

export const elsewhere = check('xpr/replay-elsewhere', 'xpr.replay-elsewhere')
  .given('agent', xpr.verifies)
  .given('control', xpr.control)
  .when('an accepted request comes again to another address of the agent', async (scene) => {
    const request = await accepted(scene);
    return xpr.untilLetIn(
      ways(scene).map(([about, options]) => ({ about, send: () => again(scene, request, {}, options) })),
    );
  })
  .expects('refuse it', (seen) => xpr.each(seen, keptOut))
  .advice(`${rememberAdvice} Host, path, query and content type are not signed: they make no other request of it.`);

/** Requests in one second, within the agent's limit. */
const mostDistinct = 10;

export const distinct = check('xpr/distinct-requests', 'xpr.distinct-requests')
  .given('agent', xpr.verifies)
  .when('the client sends different requests of one second', async (scene) => {
    const { as, rate, seconds } = xpr.xprOf(scene);
    if (rate < 2) throw new PreconditionUnmet('the agent accepts only one request a minute');
    const caller = xpr.firstCaller(scene);
    // Uses a second for which nothing was sent, and the one before it.
    await sleep(scene.clock, 3000);
    const now = seconds();
    // Without a retry: signed again for the same second, it would be the same request.
    const send = (at: number) =>
      scene.client.call('get', { id: scene.uuid() }, { credentials: as(caller, { timestamp: at }), impatient: true });
    const seen: xpr.Attempted[] = [];
    for (let index = 1; index <= Math.min(mostDistinct, Math.max(2, rate - 2)); index++) {
      const outcome = await send(now);
      seen.push({ about: `request ${index}`, outcome });
      if (!isAdmitted(outcome)) return { seen, other: await send(now - 1) };
    }
    return { seen, other: undefined };
  })
  .expects('accept all of them', ({ seen, other }) => {
    const judgement = xpr.each(seen, xpr.letIn);
    if (typeof judgement !== 'string' || other === undefined || isAdmitted(other)) return judgement;
    return inconclusive(
      `lower --xpr-rate if it is too high: the agent refuses requests of other seconds too (${describe(other)})`,
    );
  })
  .advice('The hash of the body makes requests of one account and one second different ones.');
