import { evidence } from '../../kit/index.js';
import type { RequirementKey } from '../../ledger/index.js';
import { notApplicable } from '../../run/index.js';
import { bodyText, printable } from '../../wire/index.js';
import type { Sent } from '../execute/trace.js';
import type { OracleContext, Symptom } from './oracle.js';

const mostShown = 200;
/** Bytes of a message that are shown. */
const mostBytes = 48;

/** The params of a message, and the bytes that went out, which may be no message. */
function messageText(text: string, body: Uint8Array): string {
  const hex = Buffer.from(body.subarray(0, mostBytes)).toString('hex');
  return `${text.slice(text.indexOf('\n') + 1).slice(0, mostShown - 2 * mostBytes - 8)} [${hex}${body.length > mostBytes ? '…' : ''}]`;
}

/** Request and answer, short and printable. */
export function shownOf({ body, exchange, text = '' }: Sent): string {
  const { method, url, http2 } = exchange.request;
  const isMessage = http2 === true;
  const asked = printable(isMessage ? messageText(text, body) : bodyText(body.subarray(0, 2 * mostShown)), mostShown);
  // Where a URL says what the client wants, it is among what the request says, without credentials.
  const [place = ''] = url.split('?');
  const target = text.split('\n', 40).find((line) => line.startsWith(place) && line.startsWith('http'));
  const line = target === undefined ? '' : `${method} ${target.slice(target.indexOf('/', target.indexOf('://') + 3))}`;
  const shown = [printable(line, mostShown), asked].filter((text) => text !== '').join(' ');
  return `${shown || '(empty body)'} → ${printable(evidence(exchange), mostShown)}`;
}

/** What a request says: its body as text, and its URL where that says what the client wants. */
export const saidIn = ({ body, text }: Sent): string => text ?? bodyText(body);

/** A symptom of one request. `bucket` and `title` hold no text of the target. */
export const symptomOf = (
  oracle: string,
  bucket: string,
  title: string,
  sent: Sent,
  keys: readonly RequirementKey[] = [],
  detail = shownOf(sent),
): Symptom => ({ oracle, bucket, title, detail, keys, sent });

/** It is one defect, whichever operation shows it: the cause is the bucket without the operation. */
export function throughAny<T extends Pick<Symptom, 'bucket' | 'sent'>>(symptom: T): T & { readonly cause: string } {
  const { bucket, sent } = symptom;
  const operation = sent?.step.operation ?? '';
  // A bucket names the oracle, what it saw, the operation and a place; operations are words of the kit.
  const [first = '', ...words] = bucket.split(' ');
  const [oracle = '', seen, ...more] = first.split('/');
  // A law is named after its suite, and some suites are named as operations are: `law/stream/same-task`.
  const isNamed = seen === operation && more.length === 0;
  const rest = words.filter((word) => word !== operation);
  return { ...symptom, cause: [isNamed ? oracle : first, ...rest].join(' ') };
}

/** The given sentences that the version has, that apply to this agent, and that are more than a permission. */
export const demanded = (
  oracleContext: Pick<OracleContext, 'ledger' | 'target'>,
  ...keys: readonly (RequirementKey | undefined)[]
): readonly RequirementKey[] =>
  keys.filter((key): key is RequirementKey => {
    const row = key === undefined ? undefined : oracleContext.ledger.row(key);
    return row !== undefined && row.level !== 'may' && notApplicable([row], oracleContext.target) === undefined;
  });

/** One value for each campaign: what its oracles remember. */
export function remembered<T>(make: (oracleContext: OracleContext) => T): (oracleContext: OracleContext) => T {
  const all = new WeakMap<object, T>();
  return (oracleContext) => {
    const memory = oracleContext.memory ?? oracleContext;
    const found = all.get(memory);
    if (found !== undefined) return found;
    const made = make(oracleContext);
    all.set(memory, made);
    return made;
  };
}
