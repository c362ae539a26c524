import {
  type ClientCall,
  type ClientCheck,
  type ClientRun,
  callsOf,
  clientCheck,
  excerpt,
  header,
  inconclusive,
  isObject,
  lastLine,
  member,
  type Operation,
  standing,
} from '../../src/kit/index.js';
import { eachRealCall, givesUp, inOnePlay, isBelow, named, pathIn, versionIn, where } from '../shared/seen.js';

// Finding the agent: its card, the interface that is called, and what the agent says that it can.

type Judge = ClientCheck['judge'];

const cardsIn = ({ calls }: ClientRun) => calls.filter(({ is }) => is === 'card' || is === 'old-card');

/** What the client says of what it does not do, for reasons. */
function saidOf(run: ClientRun): string {
  const said = run.told?.error?.text ?? lastLine(run);
  return said === '' ? '' : `; it says: ${excerpt(said, 200)}`;
}

/** The client calls the agent at all. */
const calls: Judge = (run) =>
  callsOf(run).length > 0 ? 'holds' : `the client has the card and calls nothing${saidOf(run)}`;

/** The same, and where it does not, nothing is known. */
const callsAtLeast: Judge = (run) => (calls(run) === 'holds' ? 'holds' : inconclusive('the client sent no call'));

/** Every call goes to the interface that the scenario notes as `url`. */
const callsRightUrl: Judge = (run) => {
  const { url } = run.facts;
  const found = callsOf(run);
  const lost = url === undefined ? undefined : found.find((call) => !isBelow(call, url));
  if (lost !== undefined) return `${named(lost)}: the interface to call is ${url}`;
  return calls(run);
};

/** The same; calls to the other interface of the transport, which the scenario notes as `wrong`, go to its URL, too. */
const callsDeclaredUrl: Judge = (run) => {
  const { wrong = '' } = run.facts;
  const rest = { ...run, calls: run.calls.filter((call) => !isBelow(call, wrong)) };
  return callsOf(rest).length === 0 ? calls(run) : callsRightUrl(rest);
};

/** No call goes to the interface that the scenario notes as `wrong`, and some call goes elsewhere. */
const avoidsWrongUrl: Judge = (run) => {
  const wrong = run.facts['wrong'] ?? '';
  const lost = callsOf(run).find((call) => isBelow(call, wrong));
  return lost === undefined ? callsAtLeast(run) : `${named(lost)}: that is not the interface to call`;
};

/** No call of these operations. */
const without = (what: string, ...of: readonly Operation[]): Judge =>
  standing((run) => {
    const [first] = callsOf(run, ...of);
    return first === undefined ? 'holds' : `${named(first)}: ${what}`;
  });

/** There is a call of one of these operations. */
const with_ =
  (...of: readonly Operation[]): Judge =>
  (run) =>
    callsOf(run, ...of).length > 0 ? 'holds' : inconclusive(`the client did not call ${of.join(' or ')}`);

// In our words (1.0, 8.2 Discovery Mechanisms): A client that knows only the address of an agent asks for the card at
//   the well-known path.
export const wellKnownPath = clientCheck('client-card/well-known-path', 'client.well-known-path')
  .in()
  .expects('ask for the card at the well-known path of the version, before anything else', (run) => {
    const [first] = cardsIn(run);
    if (first?.is === 'card') return 'holds';
    if (first !== undefined) return `${named(first)}: that is the path of an older version`;
    const other = run.calls.find(({ is }) => is !== 'asking');
    return other === undefined ? 'not-concerned' : `${named(other)} came, and no request for the card`;
  })
  .advice('Ask for /.well-known/agent-card.json below the address of the agent (0.2: agent.json) first.');

// In our words (1.0, 3.6.1 Client Responsibilities): The request for the card may carry `A2A-Version` too.
export const cardRequestVersion = clientCheck('client-card/request-version', 'client.card-request-version')
  .in()
  .expects('send A2A-Version with the request for the card', (run) => {
    const cards = cardsIn(run);
    const bare = cards.find((call) => versionIn(call) === undefined);
    if (bare !== undefined) return `${named(bare)}: it has no A2A-Version`;
    return cards.length === 0 ? 'not-concerned' : 'holds';
  })
  .advice('Send A2A-Version with the request for the card as well, if agents of several versions are called.');

/** The requests for the card after the first that was answered with one. */
function laterCards(run: ClientRun) {
  const cards = cardsIn(run);
  const at = cards.findIndex(({ exchange }) => exchange.response?.status === 200);
  return at < 0 ? [] : cards.slice(at + 1);
}

const isConditional = ({ exchange: { request } }: ReturnType<typeof cardsIn>[number]): boolean =>
  ['if-none-match', 'if-modified-since'].some((name) => header(request.headers, name) !== undefined);

/** Two messages were sent, so the card was needed twice. */
const twice =
  (judge: Judge): Judge =>
  (run) =>
    callsOf(run, 'send', 'stream').length < 2 ? inconclusive('the client did not send two messages') : judge(run);

// In our words (1.0, 8.6.2 Client Requirements): A cached card that is still fresh is not fetched again.
export const cardCached = clientCheck('client-card/cached', 'client.card-cached')
  .in('card-fresh')
  .expects(
    'not fetch a card again that is still fresh',
    twice((run) => {
      const again = laterCards(run).find((call) => !isConditional(call));
      return again === undefined
        ? 'holds'
        : inOnePlay(run, `${named(again)}: the card was fetched before, and is fresh for a minute`);
    }),
  )
  .advice('Keep the card for as long as max-age of its Cache-Control says.');

// In our words (1.0, 8.6.2 Client Requirements): A cached card that has expired is revalidated.
export const cardRevalidated = clientCheck('client-card/revalidated', 'client.card-revalidated')
  .in('card-stale')
  .expects(
    'revalidate a stale card before it uses it again',
    twice((run) => {
      const later = laterCards(run);
      const bare = later.find((call) => !isConditional(call));
      if (bare !== undefined)
        return inOnePlay(run, `${named(bare)}: it has neither If-None-Match nor If-Modified-Since`);
      return later.length > 0 ? 'holds' : 'the card was used for the second message without asking';
    }),
  )
  .advice('Send the ETag of the card that is kept as If-None-Match when it has expired.');

// In our words (1.0, 8.6.2 Client Requirements): 304 keeps the cached card in use.
export const cardNotModified = clientCheck('client-card/not-modified', 'client.card-not-modified')
  .in('card-stale')
  .expects('keep its card when the agent answers 304', (run) => {
    const at = run.calls.findIndex(({ is, exchange }) => is === 'card' && exchange.response?.status === 304);
    if (at < 0) return inconclusive('the client did not ask whether the card has changed');
    const after = run.calls.slice(at + 1).find(({ is }) => is === 'call');
    return after === undefined ? `after the 304 in answer to ${run.calls[at]?.exchange.id} came no call` : 'holds';
  })
  .advice('Take 304 as leave to use the card that was kept.');

// In our words (1.0, 8.3.2 Client Protocol Selection): The interfaces of a valid card are read, whatever else the card
//   declares.
export const cardRead = clientCheck('client-card/read', 'client.card-read')
  .in('card-whole')
  .expects('call an agent whose card uses every member', calls)
  .but('send')
  .advice(
    'Read every member of the card as the version spells it, and the interfaces also where another one is not used.',
  );

// In our words (1.0, 5.7 Field Presence and Optionality): Members of the card that the client does not know are
//   ignored.
export const unknownMembers = clientCheck('client-card/unknown-members', 'client.card-unknown-members')
  .in('card-unknown-members')
  .expects('call an agent whose card has members that it does not know', calls)
  .but('send')
  .advice('Ignore members of the card that are not known.');

const warned = ({ told: report }: ClientRun): boolean => (report?.warnings?.length ?? 0) > 0;
const speaksOfSignature = ({ told: report }: ClientRun): string | undefined =>
  [...(report?.warnings ?? []), ...(report?.error === undefined ? [] : [report.error.text])].find((text) =>
    /signature|signed/i.test(text),
  );

const isWary = (run: ClientRun): string =>
  callsOf(run).length === 0 || warned(run) || run.told?.error !== undefined
    ? 'holds'
    : 'the client called the agent, and reported neither an error nor a warning';

// In our words (1.0, 8.4.3 Signature Verification): A card whose signature does not hold is not trusted silently.
export const cardSignature = clientCheck('client-card/signature', 'client.card-signature')
  .in('card-altered', 'card-without-algorithm', 'card-signed')
  .expects(
    'not trust a card with an invalid signature silently',
    where({
      'card-signed': callsAtLeast,
      'card-altered': isWary,
      'card-without-algorithm': isWary,
    }),
  )
  .advice('Verify the signatures of the card with the keys that the user trusts, before the card is used.');

/** The client calls the agent, and says nothing against a signature that holds. */
function trusts(run: ClientRun): ReturnType<typeof calls> {
  const said = speaksOfSignature(run);
  if (said !== undefined) return `the signature is valid, and the client reported: ${excerpt(said, 200)}`;
  return calls(run);
}

// In our words (1.0, 8.4.3 Signature Verification): One signature that holds is enough, wherever it stands among
//   several.
export const anySignature = clientCheck('client-card/any-signature', 'client.any-signature')
  .in('card-signed-twice')
  .expects('trust a card of which one signature among several is valid', trusts)
  .but('send', 'card-signed')
  .advice('Try every signature of the card with every trusted key: one that holds is enough.');

// In our words (1.0, 8.4.3 Signature Verification): A card is verified in its canonical form.
export const signatureVerified = clientCheck('client-card/signature-form', 'client.signature-verified')
  .in('card-signed')
  .expects('verify the canonical form of a card', trusts)
  .but('send')
  .advice('Verify the signature over the card in the form of RFC 8785, without its signatures.');

// In our words (1.0, 8.3.2 Client Protocol Selection): The first interface that the client supports is used.
export const firstSupported = clientCheck('client-interface/first-supported', 'client.first-supported-interface')
  .in('two-interfaces')
  .expects('use the first interface that it supports', avoidsWrongUrl)
  .advice('Go through supportedInterfaces in order, and take the first whose binding and version you have.');

// In our words (1.0, 8.3.2 Client Protocol Selection): An interface of a protocol version that the client does not
//   speak is not chosen.
export const anotherVersion = clientCheck('client-interface/version', 'client.interface-version')
  .in('interface-of-another-version')
  .expects('leave out an interface of a version that it does not speak', avoidsWrongUrl)
  .advice('Compare Major.Minor of protocolVersion of an interface with the versions that you speak.');

// In our words (1.0, 3.6 Versioning): The patch number of an interface's protocolVersion plays no part in the choice.
export const patchVersion = clientCheck('client-interface/patch-version', 'client.patch-not-considered')
  .in('interface-patch-version')
  .expects('call an interface whose protocolVersion has a patch number', calls)
  .but('send')
  .advice('Compare Major and Minor of protocolVersion alone.');

// In our words (1.0, 8.3.2 Client Protocol Selection): Requests go to the URL of the interface that was chosen.
export const interfaceUrl = clientCheck('client-interface/url', 'client.interface-url')
  .in('interface-later', 'interface-first', 'interface-elsewhere')
  .expects(
    'send its calls to the URL of the interface that it chose',
    where({
      send: calls,
      'interface-later': callsRightUrl,
      'interface-first': callsDeclaredUrl,
      // Who calls no other origin, by a policy, calls no wrong URL either.
      'interface-elsewhere': (run) => (callsOf(run).length === 0 ? 'not-concerned' : callsRightUrl(run)),
    }),
  )
  .but('send')
  .advice('Call the URL that the card has for your binding, also where it is another origin than that of the card.');

// In our words (1.0, 8.3.2 Client Protocol Selection): An interface at another origin than the card may be called.
export const interfaceOrigin = clientCheck('client-interface/origin', 'client.interface-origin')
  .in('interface-elsewhere')
  .expects('call an interface at another origin than that of its card', (run) =>
    callsOf(run).length === 0 ? `the client calls no interface at another origin${saidOf(run)}` : 'holds',
  )
  .but('send')
  .advice('Where only some origins may be called, let the user name them.');

// In our words (0.3, 5.6.3 Client Transport Selection Rules): The preferred transport is used with the main URL where
//   the client supports it.
export const preferredTransport = clientCheck('client-interface/preferred', 'client.preferred-transport')
  .in('interface-first')
  .expects('use the preferred transport at the main URL where it supports it', callsRightUrl)
  .but('send')
  .advice('Take url and preferredTransport of the card where you have that transport.');

// In our words (0.3, 5.6.1 Main URL and Preferred Transport): A card without preferredTransport is read as JSONRPC.
export const defaultTransport = clientCheck('client-interface/default-transport', 'client.default-transport')
  .in('card-without-transport')
  .expects('read a card without preferredTransport as one of JSONRPC', callsRightUrl)
  .but('send')
  .advice('Take JSONRPC where preferredTransport is missing.');

// In our words (1.0, 8.3.2 Client Protocol Selection): The client calls the declared URL of a JSON-RPC interface
//   unchanged.
export const urlUnchanged = clientCheck('client-interface/url-unchanged', 'client.url-unchanged')
  .in('interface-later', 'url-with-slash', 'url-with-query')
  .expects(
    'use the URL of an interface unchanged',
    eachRealCall(({ exchange: { request } }, { facts }) => {
      // The version may be a parameter of the request (1.0 §3.6.1).
      const url = request.url.replace(/(\?)A2A-Version=[^&]*(?:&|$)|&A2A-Version=[^&]*/i, '$1').replace(/\?$/, '');
      return url === facts['url'] ? undefined : `it went to ${request.url}, and the card has ${facts['url']}`;
    }),
  )
  .advice('Send to the URL of the card byte by byte: no slash more or less, and with its query.');

// In our words (1.0, 5.2 Protocol Selection and Negotiation): When an interface cannot be reached, another is tried.
export const fallback = clientCheck('client-interface/fallback', 'client.fallback')
  .in('interface-down')
  .expects('try another interface when the first cannot be reached', calls)
  .but('send')
  .advice('Take the next interface of the card when the connection to one is refused.');

/** The tenant of a call, wherever the binding has it. */
function tenantsIn(call: ClientCall, run: ClientRun): readonly unknown[] {
  const { params } = call;
  const before = /^\/([^/]+)\/(?:tasks(?:\/|$)|message:|extendedAgentCard$)/.exec(pathIn(call, run))?.[1];
  const path = before === undefined ? [] : [decodeURIComponent(before)];
  const named = [...path, ...(isObject(params) ? [member(params, 'tenant')] : [])];
  // In proto3 an empty text is one that is not set.
  return named.filter((value) => value !== undefined && value !== null && value !== '');
}

// In our words (1.0, 8.3.2 Client Protocol Selection): The tenant of the interface is in every request.
export const tenant = clientCheck('client-interface/tenant', 'client.tenant')
  .in('tenant', 'tenant-stream', 'tenant-list')
  .expects(
    'send the tenant of the interface with every call',
    eachRealCall((call, run) => {
      const { facts } = run;
      const found = tenantsIn(call, run);
      if (found.length === 0) return `it has no tenant, and the interface has ${facts['tenant']}`;
      const other = found.find((value) => value !== facts['tenant']);
      return other === undefined
        ? undefined
        : `its tenant is ${String(other)}, and that of the interface ${facts['tenant']}`;
    }),
  )
  .advice(
    'Put the tenant of the chosen interface into every request; over HTTP+JSON it is the first part of the path.',
  );

// In our words (1.0, 8.3.2 Client Protocol Selection): No tenant is sent where the interface has none.
export const noTenant = clientCheck('client-interface/no-tenant', 'client.no-tenant')
  .in('send')
  .expects(
    'send no tenant where the interface has none',
    eachRealCall((call, run) => {
      const [made] = tenantsIn(call, run);
      return made === undefined ? undefined : `its tenant is ${String(made)}, and the interface has none`;
    }),
  )
  .advice('Leave the tenant out where the chosen interface has none.');

/** More calls than this are a storm. */
const mostCalls = 20;

// In our words (1.0, 3.6.1 Client Responsibilities): VersionNotSupportedError ends the attempt, or leads to another
//   interface.
export const versionRefused = clientCheck('client-interface/version-refused', 'client.version-refused')
  .in('version-refused')
  .expects('give up, or take another interface, when its version is refused', (run) =>
    givesUp(run, callsOf(run), mostCalls, (count) => `the client called ${count} times, and was refused each time`),
  )
  .advice('Report the error, or use an interface of another version; the same call is refused again.');

// In our words (1.0, 3.3.4 Capability Validation): Streaming is not tried where it is not declared.
export const undeclaredStreaming = clientCheck('client-capability/streaming', 'client.undeclared-streaming')
  .in('streaming-undeclared', 'stream')
  .expects(
    'not stream where the card does not declare streaming',
    where({
      stream: with_('stream', 'subscribe'),
      'streaming-undeclared': without('the card says that the agent cannot stream', 'stream', 'subscribe'),
    }),
  )
  .advice('Send the message without a stream where capabilities.streaming is not true.');

// In our words (1.0, 3.3.4 Capability Validation): Push notifications are not asked for where they are not declared.
export const undeclaredPush = clientCheck('client-capability/push', 'client.undeclared-push')
  .in('push-undeclared', 'send')
  .expects(
    'not ask for push notifications where the card does not declare them',
    where({
      send: with_('send', 'stream'),
      'push-undeclared': (run) => {
        const inline = callsOf(run, 'send', 'stream').find(
          ({ params }) =>
            (member(member(params, 'configuration'), 'taskPushNotificationConfig') ?? undefined) !== undefined,
        );
        if (inline !== undefined) return `${named(inline)}: it has a push configuration, and the card declares none`;
        return without(
          'the card says that the agent cannot notify',
          'pushSet',
          'pushGet',
          'pushList',
          'pushDelete',
        )(run);
      },
    }),
  )
  .advice('Register no webhook where capabilities.pushNotifications is not true.');

// In our words (1.0, 3.3.4 Capability Validation): The extended card is not asked for where it is not declared.
export const undeclaredCard = clientCheck('client-capability/extended-card', 'client.undeclared-extended-card')
  .in('extended-card-undeclared', 'extended-card')
  .expects(
    'not ask for the extended card where the card does not declare one',
    where({
      'extended-card': with_('extendedCard'),
      'extended-card-undeclared': without('the card declares no extended card', 'extendedCard'),
    }),
  )
  .advice('Ask for the extended card only where capabilities.extendedAgentCard is true.');

// In our words (1.0, 4.6.1 Extension Declaration): A required extension that the client supports is named in
//   `A2A-Extensions`.
export const extensionDeclared = clientCheck('client-extension/declared', 'client.extension-declared')
  .in('extension-required')
  .expects(
    'name an extension that the agent requires and the user wants',
    eachRealCall(({ exchange: { request } }, { errand: { extensions = [] } }) => {
      const text = header(request.headers, 'a2a-extensions') ?? '';
      const given = text.split(',').map((text) => text.trim());
      const missing = extensions.find((uri) => !given.includes(uri));
      return missing === undefined ? undefined : `A2A-Extensions does not have ${missing}`;
    }),
  )
  .advice('Put the URIs of the extensions that you use into A2A-Extensions, with every call.');

// In our words (1.0, 3.3.4 Capability Validation): A client that does not support a required extension may stop before
//   it sends.
export const extensionUnsupported = clientCheck('client-extension/unsupported', 'client.extension-unsupported')
  .in('extension-unknown', 'send')
  .expects(
    'not call an agent that requires an extension it does not support',
    where({
      send: callsAtLeast,
      'extension-unknown': (run) => {
        const [first] = callsOf(run);
        return first === undefined ? 'holds' : `${named(first)}: the card demands an extension`;
      },
    }),
  )
  .advice('Look for extensions with required: true in the card before the first call.');
