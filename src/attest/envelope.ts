import { type KeyObject, sign, verify } from 'node:crypto';
import { isObject, isString } from '../model/index.js';
import { keyId } from './key.js';
import { predicateType, type Statement, statementType } from './statement.js';

const payloadType = 'application/vnd.in-toto+json';

/** DSSE envelope v1. */
export interface Envelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/**
 * The signed bytes (DSSE, PAE): type and body with their lengths, so that neither can be read as a part of the other.
 */
const preAuthenticated = (type: string, body: Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `), body]);

/** Signs a statement with an Ed25519 key. */
export function sealed(statement: Statement, key: KeyObject): Envelope {
  const body = Buffer.from(JSON.stringify(statement));
  const sig = sign(null, preAuthenticated(payloadType, body), key).toString('base64');
  return { payload: body.toString('base64'), payloadType, signatures: [{ keyid: keyId(key), sig }] };
}

/** Whether an object has exactly these members: nothing in the file may go unchecked. */
const hasOnly = (value: unknown, names: readonly string[]): value is Record<string, unknown> =>
  isObject(value) && Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));

/** Decodes canonical base64 only. The decoder of Node takes other forms too, which could hide a changed bit. */
function bytesOf(text: unknown): Uint8Array | undefined {
  if (!isString(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

const lists = ['passedTests', 'warnedTests', 'failedTests'] as const;

function isStatement(value: unknown): value is Statement {
  if (!isObject(value) || value['_type'] !== statementType || value['predicateType'] !== predicateType) return false;
  const { subject, predicate } = value;
  const isNamed =
    Array.isArray(subject) &&
    subject.length > 0 &&
    subject.every(
      (item) =>
        isObject(item) && isString(item['name']) && isObject(item['digest']) && isString(item['digest']['sha256']),
    );
  return (
    isNamed &&
    isObject(predicate) &&
    ['PASSED', 'WARNED', 'FAILED'].includes(String(predicate['result'])) &&
    Array.isArray(predicate['configuration']) &&
    predicate['configuration'].every(isObject) &&
    lists.every((name) => Array.isArray(predicate[name]) && (predicate[name] as unknown[]).every(isString))
  );
}

export type Opened =
  | { readonly genuine: true; readonly statement: Statement }
  /** The reason, for people. */
  | { readonly genuine: false; readonly reason: string };

const refused = (reason: string): Opened => ({ genuine: false, reason });

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

/** The content of an envelope, if the owner of the key has signed it. Never throws for anything that the file holds. */
export function opened(file: Uint8Array, key: KeyObject): Opened {
  const envelope = parsed(file);
  if (!hasOnly(envelope, ['payload', 'payloadType', 'signatures'])) return refused('it is not a DSSE envelope');
  const { signatures } = envelope;
  if (envelope['payloadType'] !== payloadType) return refused('its payload is not an in-toto statement');
  if (!Array.isArray(signatures) || signatures.length !== 1) return refused('it has not exactly one signature');
  const [signature] = signatures as readonly unknown[];
  if (!hasOnly(signature, ['keyid', 'sig'])) return refused('its signature has other members than keyid and sig');
  const body = bytesOf(envelope['payload']);
  const sig = bytesOf(signature['sig']);
  if (body === undefined || sig === undefined) return refused('payload or signature are not base64');
  if (signature['keyid'] !== keyId(key)) return refused('it is signed with another key');
  if (!verify(null, preAuthenticated(payloadType, body), key, sig)) return refused('the signature does not fit');
  const statement = parsed(body);
  return isStatement(statement) ? { genuine: true, statement } : refused('it is signed, but no result of a test run');
}
