import { type Dialect, dialectById, dialects, methodOf, namedAs } from '../../dialect/index.js';
import type { Target } from '../../kit/index.js';
import { firstOfEach } from '../../model/index.js';
import type { CardClaim } from './card-claims.js';
import { ask, type ProbeOptions, probeMessage } from './probe.js';
import { type Answer, spellingOf } from './probe-all.js';

// What the probe leaves open, further questions settle.

/** What the questions are about. */
export interface SettleOptions extends ProbeOptions {
  readonly answer: Answer;
  readonly claims: readonly CardClaim[];
  /** No message may be sent. */
  readonly readOnly?: boolean;
  /** Each answer adds a line. */
  readonly evidence: string[];
}

/** Whether a request names its method beside the params, so that the same params may go under another name. */
const hasMethods = ({ binding }: Dialect): boolean => binding.requests === 'envelopes';

async function askFor(options: SettleOptions, dialect: Dialect, method: string) {
  const { url } = options.answer.endpoint;
  const { outcome, seen } = await ask(options, url, dialect, method);
  options.evidence.push(`POST ${url}: ${seen}`);
  return outcome;
}

async function sendIn(options: SettleOptions, dialect: Dialect) {
  const { url } = options.answer.endpoint;
  const sent = await probeMessage(options, url, dialect);
  if (sent !== undefined) options.evidence.push(`POST ${url}: ${sent.seen}`);
  return sent;
}

/**
 * 0.2, 0.3 and OpenClaw all use `tasks/get`. If the card does not decide between them, a method that only 0.3 has is
 * called without params: an agent that knows it speaks 0.3. For any other agent the first of `ranked` is taken.
 */
export async function settleVersion(options: SettleOptions, ranked: readonly Dialect[]): Promise<Dialect> {
  const { answer, claims } = options;
  const spoken = spellingOf(answer.dialect);
  const alike = ranked.filter((dialect) => spellingOf(dialect) === spoken);
  const [first = answer.dialect] = alike;
  const newer = dialectById('a2a-0.3');
  const isOpen =
    hasMethods(answer.dialect) && alike.length > 1 && !claims.some(({ dialect }) => alike.includes(dialect));
  if (!isOpen || newer === undefined || answer.probe.understood !== 'spoken') return first;
  const outcome = await askFor(options, newer, newer.operations.extendedCard?.rpc ?? '');
  const missing = outcome.kind === 'refusal' && outcome.error === 'ExtendedCardNotConfigured';
  return missing || outcome.kind === 'result' || outcome.kind === 'denied' ? newer : first;
}

/** A dialect under the methods of another one. */
export type Misnamed = NonNullable<Target['misnamed']> & { readonly dialect: Dialect };

/**
 * The methods of another dialect under which the agent reads the objects of the claimed one; undefined: it has the
 * methods of the claimed dialect, or is an agent of another one.
 */
export async function settleNames(options: SettleOptions): Promise<Misnamed | undefined> {
  const { answer, claims, readOnly } = options;
  const own = claims[0]?.dialect;
  if (own === undefined || !hasMethods(own) || !hasMethods(answer.dialect) || readOnly === true) return undefined;
  const { understood, isVague } = answer.probe;
  const isForeign = answer.dialect !== own || understood === 'other';
  if (understood === 'no' || !(isForeign || isVague)) return undefined;
  const inName = isForeign ? undefined : await sendIn(options, own);
  if (inName !== undefined && (inName.isRead || !inName.isRefused)) return undefined;
  const lacks = methodOf(own, 'send');
  const strangers = dialects.filter(
    (dialect) => dialect.binding === own.binding && methodOf(dialect, 'send') !== lacks,
  );
  for (const stranger of firstOfEach(strangers, (dialect) => methodOf(dialect, 'send'))) {
    const mixed = namedAs(own, stranger);
    const inOwn = await sendIn(options, mixed);
    // An agent that reads the objects of the other dialect too is taken for one of that dialect.
    if (inOwn?.isRead !== true) continue;
    if ((await probeMessage(options, answer.endpoint.url, stranger))?.isRead === true) continue;
    const missing =
      inName === undefined ? `${methodOf(own, 'get')} is not there` : `that is answered with ${inName.said}`;
    const sentence = `the method ${methodOf(stranger, 'send')} does the work of ${lacks}, and ${missing}`;
    return { dialect: mixed, exchange: inOwn.exchange, told: sentence };
  }
  return undefined;
}

/** 0.1 is not tested, but the user should learn that the agent speaks it. */
export async function lookForOldest(options: SettleOptions): Promise<void> {
  const { dialect, probe } = options.answer;
  if (probe.understood !== 'other' || !hasMethods(dialect)) return;
  const outcome = await askFor(options, dialect, 'tasks/send');
  if (outcome.kind === 'refusal' && outcome.error === 'InvalidParams')
    options.evidence.push('the agent speaks A2A 0.1 (tasks/send), which the kit does not test');
}
