import { answeredText, disclosureIn, secretForm } from '../../kit/index.js';
import type { RequirementKey } from '../../ledger/index.js';
import type { Sent, Trace } from '../execute/trace.js';
import { foreignIn } from './leak-foreign.js';
import { leakSigns, resultHints, resultSigns } from './leak-signs.js';
import type { Oracle, OracleContext, Symptom } from './oracle.js';
import { demanded, remembered, saidIn, symptomOf, throughAny } from './symptom.js';

// A2A 1.0 §3.3.2, §13: what an answer must not show: the inside of the agent, secrets, data of another caller.

const bufferOf = (body: Uint8Array): Buffer => Buffer.from(body.buffer, body.byteOffset, body.byteLength);
const mostText = 64 * 1024;

/** What an answer says, as bytes to be searched. */
const saidBytes = (exchange: Sent['exchange']): Buffer =>
  exchange.request.http2 === true
    ? Buffer.from(answeredText(exchange, mostText))
    : bufferOf(exchange.response?.body ?? new Uint8Array());

/**
 * Texts of refusals in which nothing was found, without ids and numbers: they repeat often, and are not searched again.
 */
const clean = remembered(() => new Set<string>());
const mostClean = 1024;
const longestClean = 2000;

function isClean(text: string, oracleContext: OracleContext): boolean {
  return text.length <= longestClean && clean(oracleContext).has(plain(text));
}
const plain = (text: string): string => text.replace(/[0-9a-f-]{16,}|\d+/gi, '#');

function rememberClean(text: string, oracleContext: OracleContext): void {
  if (text.length > longestClean) return;
  const known = clean(oracleContext);
  if (known.size >= mostClean) known.clear();
  known.add(plain(text));
}

interface Leak {
  readonly what: string;
  readonly keys: readonly RequirementKey[];
  /** Left out where it would show the secret again. */
  readonly detail?: string;
}

/** A result, also one that cannot be read: it may repeat what this or another case has sent. */
const isResult = ({ reading: { outcome } }: Sent): boolean =>
  outcome.kind === 'result' || (outcome.kind === 'invalid-response' && outcome.fault === 'unreadable');

/** Stack traces, paths, errors of drivers. A result may talk about them: there, only unmistakable signs count. */
function innerLeak(sent: Sent, oracleContext: OracleContext): Leak | undefined {
  const { reading, exchange, text } = sent;
  if (isResult(sent) || reading.stream?.refused === false) {
    const answer = bufferOf(exchange.response?.body ?? new Uint8Array());
    const inside = resultHints.some((hint) => answer.includes(hint))
      ? disclosureIn(exchange, resultSigns, text)
      : undefined;
    return inside && { what: inside.what, keys: [], detail: `a result shows ${inside.what}` };
  }
  if (reading.outcome.kind === 'not-sent') return undefined;
  const found = disclosureIn(exchange, leakSigns, text);
  if (found === undefined) return undefined;
  return {
    what: found.what,
    keys: demanded(oracleContext, 'xpr.no-disclosure'),
    detail: `it shows ${found.what}: ${found.text}`,
  };
}

/** Forms of credentials in a refusal that the request did not have. */
function secretLeak(sent: Sent, oracleContext: OracleContext): Leak | undefined {
  const { reading, exchange } = sent;
  if (isResult(sent) || reading.outcome.kind === 'not-sent') return undefined;
  const text = answeredText(exchange, mostText);
  const form = text.length < 20 ? undefined : secretForm(text);
  if (form === undefined || secretForm(saidIn(sent)) === form) return undefined;
  return {
    what: form,
    keys: demanded(oracleContext, 'sec.no-disclosure'),
    detail: `an error shows what looks like ${form}`,
  };
}

const secretHeader = /^(?:proxy-)?authorization$|^cookie$|(?:^|-)(?:api-?key|token|secret)$/i;
/** Shorter ones would be found by accident. */
const shortest = 8;

/**
 * Credentials of the kit in an answer, for agents whose card declares no security scheme: no law looks for them there.
 */
function ownSecretLeak({ exchange, step }: Sent, oracleContext: OracleContext): Leak | undefined {
  if (Object.keys(oracleContext.target.card.securitySchemes).length > 0) return undefined;
  const secrets = exchange.request.headers.flatMap(([name, value]) =>
    secretHeader.test(name) ? [value.replace(/^\S+\s+(?=\S)/, '')] : [],
  );
  if (secrets.length === 0 || exchange.response === undefined) return undefined;
  const made = JSON.stringify(step.tricks ?? []);
  const shown = secrets.some(
    (secret) => secret.length >= shortest && !made.includes(secret) && saidBytes(exchange).includes(secret),
  );
  return shown
    ? {
        what: 'credentials of the caller',
        keys: demanded(oracleContext, 'sec.no-disclosure'),
        detail: 'it shows credentials that were sent',
      }
    : undefined;
}

const objectText = '[object Object]';

/** `[object Object]`: what a program writes when it uses an object as a text. */
function objectLeak({ exchange, step }: Sent, { case: tried, sent }: Trace): Leak | undefined {
  if (exchange.response === undefined || !saidBytes(exchange).includes(objectText)) return undefined;
  // A list may repeat what any case has sent.
  if (step.operation === 'list' || sent.some(({ body }) => bufferOf(body).includes(objectText))) return undefined;
  // The request may contain it escaped or in another encoding, where its bytes do not show it.
  if (JSON.stringify(tried).includes(objectText)) return undefined;
  return { what: 'an object as text', keys: [], detail: `it shows ${objectText}` };
}

function leaksOf(sent: Sent, trace: Trace, oracleContext: OracleContext): readonly Leak[] {
  const { response } = sent.exchange;
  if (response === undefined) return [];
  const shows = isResult(sent);
  const text = shows ? '' : answeredText(sent.exchange, longestClean + 1);
  const own = ownSecretLeak(sent, oracleContext);
  if (!shows && isClean(text, oracleContext)) return own === undefined ? [] : [own];
  const found = [innerLeak(sent, oracleContext), secretLeak(sent, oracleContext), own, objectLeak(sent, trace)].filter(
    (leak) => leak !== undefined,
  );
  if (!shows && found.length === 0) rememberClean(text, oracleContext);
  return found;
}

/** Answers show only what the caller may know. A text that the caller sent and that comes back is not a leak. */
export const leaks: Oracle = (trace, oracleContext) => {
  const found = new Map<string, Symptom>();
  for (const sent of trace.sent) {
    for (const { what, keys, detail } of leaksOf(sent, trace, oracleContext)) {
      const { operation } = sent.step;
      const bucket = `leak/${what} ${operation}`;
      if (found.has(bucket)) continue;
      const title = `an answer to ${operation} shows ${what}`;
      found.set(bucket, throughAny(symptomOf('leak', bucket, title, sent, keys, detail)));
    }
  }
  for (const { sent, what, keys } of foreignIn(trace, oracleContext)) {
    const { operation } = sent.step;
    const bucket = `leak/${what} ${operation}`;
    const title = `an answer to ${operation} shows ${what}`;
    found.set(bucket, throughAny(symptomOf('leak', bucket, title, sent, keys)));
  }
  return [...found.values()];
};
