import {
  brief,
  type ClientCall,
  type ClientJudge,
  type ClientRun,
  callName,
  callsOf,
  clientCheck,
  eachCall,
  inconclusive,
  standing,
  toldText,
  whatWasTold,
} from '../../../src/kit/index.js';
import { givesUp, pathIn } from '../../../suites/shared/seen.js';
import * as xprText from '../signing/index.js';

const { headerNames } = xprText;

/** The values of one of the three headers. */
const valuesOf = ({ exchange: { request } }: ClientCall, name: keyof typeof headerNames): readonly string[] =>
  request.headers.flatMap(([found, value]) =>
    found.toLowerCase() === headerNames[name].toLowerCase() ? [value.trim()] : [],
  );
const firstOf = (call: ClientCall, name: keyof typeof headerNames): string => valuesOf(call, name)[0] ?? '';

/** Judges each call that has a header; what it lacks is another check. */
const eachSigned = (
  name: keyof typeof headerNames,
  judge: (value: string, call: ClientCall, run: ClientRun) => string | undefined,
): ClientJudge => {
  const all = eachCall((call, run) => judge(firstOf(call, name), call, run));
  return standing((run) => all({ ...run, calls: run.calls.filter((call) => firstOf(call, name) !== '') }));
};

const keyOf = ({ errand }: ClientRun): xprText.PrivateKey | undefined => {
  const text = errand.account?.['key'];
  return text === undefined ? undefined : xprText.readPrivateKey(text);
};

// XPR, Discovery: "The card is asked for at /.well-known/agent.json."
export const xprCardPath = clientCheck('client-xpr/card-path', 'client.xpr-card-path')
  .in('send')
  .expects('ask for the card at /.well-known/agent.json', ({ calls }) => {
    const cards = calls.filter(({ is }) => is === 'card' || is === 'old-card');
    const paths = cards.map(({ exchange }) => new URL(exchange.request.url).pathname);
    if (paths.some((path) => path.endsWith('/.well-known/agent.json'))) return 'holds';
    return paths.length === 0 ? 'not-concerned' : `it asked at ${brief([...new Set(paths)])} alone`;
  })
  .advice('Ask for /.well-known/agent.json: agents of this dialect have their card there.');

// XPR, Methods: "Requests are POST /a2a at the URL of the card."
export const xprEndpoint = clientCheck('client-xpr/endpoint', 'client.xpr-endpoint')
  .in('send', 'signed-cancel')
  .expects(
    'send its requests with POST to /a2a',
    eachCall((call, run) => {
      const { method } = call.exchange.request;
      const path = pathIn(call, run);
      return method === 'POST' && path === '/a2a' ? undefined : `it is ${method} ${path}`;
    }),
  )
  .advice('Add /a2a to the URL of the card, unless it ends with it.');

// XPR, Request Signing (Caller Side): "Every request of a client with a key has the three headers: account, timestamp
//   and signature."
export const xprHeaders = clientCheck('client-xpr/headers', 'client.xpr-headers')
  .in('send', 'signed-scripts', 'signed-cancel')
  .expects(
    'sign every request with the three headers',
    eachCall((call) => {
      for (const name of ['account', 'timestamp', 'signature'] as const) {
        const values = valuesOf(call, name);
        if (values.length !== 1) return `${headerNames[name]} is there ${values.length} times`;
        if (values[0] === '') return `${headerNames[name]} is empty`;
      }
      return undefined;
    }),
  )
  .advice('Sign tasks/get and tasks/cancel as well as message/send.');

// XPR, Request Signing (Caller Side): "X-XPR-Account is the account that the client was given."
export const xprAccount = clientCheck('client-xpr/account', 'client.xpr-account')
  .in('send', 'signed-cancel')
  .expects(
    'name its own account',
    eachSigned('account', (value, _, { errand }) => {
      const own = errand.account?.['account'];
      return value === own ? undefined : `${headerNames.account} is ${brief(value)}, the account is ${own}`;
    }),
  )
  .advice('Send the account as it was given, without a permission behind it.');

/** Seconds that a timestamp may be away from now. */
const windowSeconds = 300;

// XPR, Request Signing (Caller Side): "X-XPR-Timestamp is Unix time in seconds."
export const xprTimestamp = clientCheck('client-xpr/timestamp', 'client.xpr-timestamp')
  .in('send', 'signed-cancel')
  .expects(
    'send Unix time in seconds',
    eachSigned('timestamp', (value, { exchange }) => {
      if (!/^\d{1,15}$/.test(value)) return `${headerNames.timestamp} is ${brief(value)}`;
      const off = Math.abs(Number(value) - exchange.startedAt / 1000);
      return off <= windowSeconds
        ? undefined
        : `${headerNames.timestamp} is ${value}, ${Math.round(off)} s away from now`;
    }),
  )
  .advice('Write whole seconds since 1970 in decimal digits.');

// XPR, Request Signing (Caller Side): "The signature is that of the key over account, timestamp and the digest of the
//   body as it was sent."
export const xprSignature = clientCheck('client-xpr/signature', 'client.xpr-signature')
  .in('send', 'signed-scripts', 'signed-cancel')
  .expects(
    'sign account, timestamp and the bytes of the body',
    eachSigned('signature', (text, call, run) => {
      const signature = xprText.readSignatureLeniently(text);
      const key = keyOf(run);
      if (signature === undefined || key === undefined) return undefined;
      const { audience = '', chainId = '' } = run.errand.account ?? {};
      const claim = {
        account: firstOf(call, 'account'),
        timestamp: firstOf(call, 'timestamp'),
        body: call.exchange.request.body ?? new Uint8Array(),
      };
      const schemes = [{ lines: 3 }, { lines: 5, audience, chainId }] as const;
      const digests = schemes.map((scheme) => xprText.digest(scheme, claim));
      const isOf = (hash: Uint8Array): boolean => {
        const found = xprText.recover(hash, signature);
        return found !== undefined && Buffer.from(found).equals(key.publicKey);
      };
      if (digests.some((digest) => isOf(xprText.signedHash(digest)))) return undefined;
      return digests.some(isOf)
        ? 'the client signed the digest itself; published agents ask for its SHA-256'
        : 'the signature is not that of the key of the account for this body';
    }),
  )
  .advice('Hash the bytes that are sent, not the text before it is encoded, and sign with the library of the chain.');

// XPR, Request Signing (Caller Side): "The signature is written as SIG_K1_ and its checksum holds."
export const xprSignatureForm = clientCheck('client-xpr/signature-form', 'client.xpr-signature-form')
  .in('send', 'signed-cancel')
  .expects(
    'write signatures as SIG_K1_ with a checksum that holds',
    eachSigned('signature', (text) => {
      try {
        xprText.readSignature(text);
        return undefined;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    }),
  )
  .advice('Write the signature as the library of the chain does: SIG_K1_ and base58 with its checksum.');

// XPR, Security Considerations: "A request that is sent again may be signed anew."
export const xprSignedAnew = clientCheck('client-xpr/signed-anew', 'client.xpr-signed-anew')
  .in('lost-answer')
  .expects('sign a request anew that it sends again', (run) => {
    const [first, again] = callsOf(run, 'send');
    if (first === undefined || again === undefined) return 'not-concerned';
    const isSame =
      firstOf(first, 'signature') === firstOf(again, 'signature') &&
      Buffer.from(first.exchange.request.body ?? []).equals(again.exchange.request.body ?? new Uint8Array());
    return isSame ? `${callName(again)}: it has the signature of the request before` : 'holds';
  })
  .advice('An agent that has seen a signature refuses it the second time: take a new id of JSON-RPC and sign again.');

/** The private key in the texts that it has. */
const textsOf = (key: xprText.PrivateKey): readonly string[] => [
  xprText.wif(key),
  xprText.pvtText(key),
  Buffer.from(key.secret).toString('hex'),
  Buffer.from(key.secret).toString('base64').replaceAll('=', ''),
];

// XPR, Authentication: "The private key is not sent."
export const xprKeyKept = clientCheck('client-xpr/key-kept', 'client.xpr-key-kept')
  .in('send', 'signed-cancel')
  .expects(
    'keep its private key to itself',
    standing((run) => {
      const key = keyOf(run);
      if (key === undefined) return 'not-concerned';
      const texts = textsOf(key);
      const leak = run.calls.find(({ exchange: { request } }) => {
        const headers = request.headers.map(([, value]) => value).join('\n');
        const text = `${request.url}\n${headers}\n${Buffer.from(request.body ?? []).toString('latin1')}`;
        return texts.some((refusal) => text.includes(refusal));
      });
      if (leak !== undefined) return `${callName(leak)}: it has the private key of the account`;
      return callsOf(run).some((call) => firstOf(call, 'signature') !== '') ? 'holds' : 'not-concerned';
    }),
  )
  .advice('Sign on the side of the client; the key gives access to the account.');

/** Requests after which a client has understood that it is refused. */
const mostTries = 3;

// XPR, Request Verification (Server Side): "A refusal for the timestamp is told, and does not lead to request after
//   request."
export const xprClockOff = clientCheck('client-xpr/clock-off', 'client.xpr-clock-off')
  .in('signed-clock-off')
  .expects(
    'give up when its timestamps are refused',
    standing((run) => {
      const said = givesUp(
        run,
        callsOf(run),
        mostTries,
        (count) => `the client sent ${count} requests, and the agent refused each`,
      );
      const isTaken = run.told?.error === undefined && run.told?.state === 'completed';
      return said === 'holds' && isTaken ? 'the client reported that the task is completed' : said;
    }),
  )
  .advice('Report the refusal; one more try with the time of the Date header is enough.');

// XPR, Error Codes: "An authentication error is not taken as a success."
export const xprRefusalTold = clientCheck('client-xpr/refusal-told', 'client.xpr-refusal-told')
  .in('signed-clock-off')
  .expects(
    'report a refused signature as an error',
    whatWasTold((report, run) => {
      if (callsOf(run).length === 0) return 'not-concerned';
      if (report.error !== undefined) return undefined;
      return report.state === undefined && report.text === undefined
        ? inconclusive('print `error`, `state` or `text` in the line of the client: it has none of them')
        : `the client reported no error, but ${toldText(report)}`;
    }),
  )
  .advice('An error of JSON-RPC comes with the status 200 too: look for `error` before `result`.');

export const xprClientRules = [
  xprCardPath,
  xprEndpoint,
  xprHeaders,
  xprAccount,
  xprTimestamp,
  xprSignature,
  xprSignatureForm,
  xprSignedAnew,
  xprKeyKept,
  xprClockOff,
  xprRefusalTold,
];
