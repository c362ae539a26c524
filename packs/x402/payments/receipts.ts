import { member, stringMember } from '../../../src/model/index.js';
import type { Receipt } from './objects.js';
import { metadataKeys, type Status } from './words.js';

// Reads the state of a payment. a2a-x402 v0.1 §6; x402 core v2 §5.3.

/** Undefined unless an array; one receipt for each of its members, whatever they are. */
export const readReceipts = (value: unknown): readonly Receipt[] | undefined =>
  Array.isArray(value) ? value.map(readReceipt) : undefined;

const texts = ['transaction', 'network', 'payer', 'errorReason', 'amount'] as const;

function readReceipt(raw: unknown): Receipt {
  const success = member(raw, 'success');
  const found = texts.flatMap((name) => {
    const text = stringMember(raw, name);
    return text === undefined ? [] : [[name, text] as const];
  });
  return { ...(typeof success === 'boolean' ? { success } : {}), ...Object.fromEntries(found), raw };
}

/** The status in the metadata of a message: one of the six, or another text (see `isStatus`). */
export const readStatus = (metadata: unknown): Status | (string & {}) | undefined =>
  stringMember(metadata, metadataKeys.status);
