import type { Signer } from '../../../src/client/index.js';
import {
  type CallStep,
  demanded,
  isSignedMutation,
  type Oracle,
  type OracleContext,
  remembered,
  type Sent,
  type Symptom,
  symptomOf,
  type WireMutation,
} from '../../../src/fuzz/extending.js';
import { isAdmitted, turnedAway } from '../../../src/kit/index.js';
import type { RequirementKey } from '../../../src/ledger/index.js';
import { withoutEnds } from '../../../src/model/index.js';
import { type Header, header as headerOf } from '../../../src/wire/index.js';
import { headerNames, isAccountName, readSignature, XprTextError } from '../signing/index.js';

// XPR document, Request Verification: the agent accepts a request only if its signature verifies over exactly what was
// sent.

type Name = keyof typeof headerNames;

/** What is wrong with a request that the agent accepted. */
interface Wrong {
  /** The same for the same defect. */
  readonly what: string;
  readonly key: RequirementKey;
}

/** HTTP removes white space around values (RFC 9110 §5.5). */
const valuesOf = (headers: readonly Header[], name: Name): readonly string[] =>
  headers.flatMap(([found, value]) =>
    found.toLowerCase() === headerNames[name].toLowerCase() ? [withoutEnds(value, ' \t')] : [],
  );

/** AMBX-12: five minutes; the clock of an agent may differ from the kit's as well. */
const farSeconds = 1800;
/** From this number on a timestamp is in milliseconds: it is too large for seconds. */
const leastMilliseconds = 1e11;

const twice = { account: 'xpr.header-twice', timestamp: 'xpr.timestamp-twice', signature: 'xpr.header-twice' } as const;

function missing(headers: readonly Header[]): Wrong | undefined {
  for (const name of ['account', 'timestamp', 'signature'] as const) {
    const values = valuesOf(headers, name);
    if (values.length === 0) return { what: `no ${name}`, key: 'xpr.headers-required' };
    if (values.every((value) => value === '')) return { what: `empty ${name}`, key: 'xpr.empty-header' };
    // The same value twice has one meaning; whether it is refused is open.
    if (new Set(values).size > 1) return { what: `several of ${name}`, key: twice[name] };
  }
  return undefined;
}

function wrongTime(text: string, now: number, isSigned: boolean): Wrong | undefined {
  const whole = /^[0-9]{1,12}$/.test(text);
  // A caller that signs the number together with a sign, a fraction or zeros means exactly that text.
  const read = Number.parseInt(text, 10);
  if (text.startsWith('-')) return { what: 'timestamp below zero', key: 'xpr.timestamp-window' };
  if (!whole && read >= leastMilliseconds)
    return { what: 'timestamp in milliseconds', key: 'xpr.timestamp-milliseconds' };
  if (Math.abs(read - now) > farSeconds) {
    return whole
      ? { what: 'timestamp far away', key: 'xpr.timestamp-window' }
      : { what: 'timestamp that is none', key: 'xpr.timestamp-grammar' };
  }
  if (!Number.isFinite(read)) return { what: 'timestamp that is none', key: 'xpr.timestamp-grammar' };
  if (isSigned || (whole && !text.startsWith('0'))) return undefined;
  return { what: 'timestamp that only begins well', key: 'xpr.timestamp-prefix' };
}

const isText = (signature: string): boolean => {
  try {
    readSignature(signature);
    return true;
  } catch (error) {
    if (error instanceof XprTextError) return false;
    throw error;
  }
};

/** The sentence that a wrong signature breaks, by what was changed in the request. */
function wrongSignature(signature: string, step: CallStep): Wrong {
  const [trick] = (step.tricks ?? []).filter(isSignedMutation);
  const how = trick?.trick ?? 'signed-header';
  if (how === 'signed-body') return { what: 'body changed', key: 'xpr.body-tampered' };
  if (how === 'signed-digest') return { what: 'another digest', key: 'xpr.digest-variants' };
  // AMBX-09 leaves open which texts spell the same signature; an agent need not accept any of them.
  if (how === 'signature-bytes') return { what: 'bytes of the signature', key: 'xpr.signature-twins' };
  if (how === 'signature-text' && /^[a-zA-Z0-9_]*$/.test(signature) && !isText(signature)) {
    return { what: 'text of the signature', key: 'xpr.signature-twins' };
  }
  return { what: 'signature', key: 'xpr.signature-malformed' };
}

/** What is wrong with the signing of a request; undefined: nothing, or the kit cannot know it. */
function wrongIn({ exchange: { request }, step }: Sent, signer: Signer): Wrong | undefined {
  const { headers } = request;
  const absent = missing(headers);
  if (absent !== undefined) return absent;
  const [[account = ''], [timestamp = ''], [signature = '']] = [
    valuesOf(headers, 'account'),
    valuesOf(headers, 'timestamp'),
    valuesOf(headers, 'signature'),
  ];
  const right = (as: Parameters<Signer['headers']>[1]): readonly Header[] => signer.headers(request, as);
  const due = right({ account, timestamp });
  const own = headerOf(right({}), headerNames.account);
  if (account !== own) {
    return isAccountName(account)
      ? { what: 'another account', key: 'xpr.wrong-key' }
      : { what: 'account that is none', key: 'xpr.account-forms' };
  }
  const isSigned = headerOf(due, headerNames.signature) === signature;
  const late = wrongTime(timestamp, Number(headerOf(right({}), headerNames.timestamp)), isSigned);
  if (late !== undefined) return late;
  return isSigned ? undefined : wrongSignature(signature, step);
}

/** Whether the agent was seen to take unsigned requests. */
const openness = remembered(() => ({ isOpen: false }));

/**
 * AMBX-07: an agent that accepts unsigned requests may treat this one as unsigned; only a plain refusal shows that it
 * does not.
 */
async function takesUnsigned(sent: Sent, oracleContext: OracleContext): Promise<boolean> {
  const known = openness(oracleContext);
  if (known.isOpen) return true;
  const { tricks: _, as: __, ...step } = sent.step;
  const { sent: seen } = await oracleContext.perform({
    dialect: oracleContext.dialect.id,
    steps: [{ ...step, caller: 'none' }],
  });
  const outcome = seen[0]?.reading.outcome;
  known.isOpen = outcome !== undefined && isAdmitted(outcome);
  return outcome === undefined || turnedAway(outcome) !== undefined;
}

/** A well-formed signature of another digest: an agent that lets this in verifies no signature. */
const forged: WireMutation = { trick: 'signed-digest', reading: 'r19' };
const unverified: Wrong = { what: 'a signature of something else', key: 'xpr.wrong-key' };

/** The most basic defect of an agent that let a request in: it may verify no signature at all. */
async function leastOf(wrong: Wrong, { step }: Sent, oracleContext: OracleContext): Promise<Wrong> {
  if (step.tricks?.some(({ trick }) => trick === forged.trick) === true) return wrong;
  const { as: _, ...rest } = step;
  const { sent } = await oracleContext.perform({
    dialect: oracleContext.dialect.id,
    steps: [{ ...rest, tricks: [forged] }],
  });
  const outcome = sent[0]?.reading.outcome;
  return outcome !== undefined && isAdmitted(outcome) ? unverified : wrong;
}

function broken(sent: Sent, oracleContext: OracleContext): readonly Symptom[] {
  const { outcome } = sent.reading;
  if (outcome.kind !== 'refusal' || outcome.error !== 'InternalError') return [];
  const [trick] = (sent.step.tricks ?? []).filter(isSignedMutation);
  const name = trick?.trick ?? '';
  const title = `a wrongly signed request (${name}) causes an internal error`;
  return [symptomOf('signed', 'signed/internal', title, sent, demanded(oracleContext, 'xpr.robust'))];
}

async function judge(
  suspects: readonly Sent[],
  signer: Signer,
  oracleContext: OracleContext,
): Promise<readonly Symptom[]> {
  const found: Symptom[] = [];
  for (const sent of suspects) {
    if (!isAdmitted(sent.reading.outcome)) {
      found.push(...broken(sent, oracleContext));
      continue;
    }
    const wrong = wrongIn(sent, signer);
    if (wrong === undefined || (await takesUnsigned(sent, oracleContext))) continue;
    const { what, key } = await leastOf(wrong, sent, oracleContext);
    const title = `the agent accepts a wrongly signed request (${what})`;
    found.push(symptomOf('signed', `signed/${what}`, title, sent, demanded(oracleContext, key)));
  }
  return found;
}

/** The agent never accepts a wrongly signed request, which causes no internal error. */
export const signed: Oracle = (trace, oracleContext) => {
  const { signer } = oracleContext;
  if (signer === undefined) return [];
  const suspects = trace.sent.filter(
    ({ step }) =>
      step.caller === undefined &&
      step.tricks !== undefined &&
      step.tricks.length === 1 &&
      step.tricks.some(isSignedMutation),
  );
  return suspects.length === 0 ? [] : judge(suspects, signer, oracleContext);
};
