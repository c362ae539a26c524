import type { Outcome } from '../../client/index.js';
import type { Operation } from '../../model/index.js';
import type { Exchange } from '../../wire/index.js';
import type { Document, Reading } from '../rules/reading.js';

/** A document without an agent, as laws get it. */
export interface Alone {
  /** The document itself first, then what is inside it and has schemas of its own. */
  readonly documents: readonly Document[];
  /** The operation whose result it may be, and the result decoded; undefined: it is not a result. */
  readonly shown: { readonly operation: Operation; readonly value: unknown } | undefined;
}

/** An exchange that the kit did not send: laws about requests, statuses and headers find nothing in it. */
const unsent: Exchange = {
  id: 'unsent',
  purpose: 'detection',
  request: { method: 'GET', url: 'about:blank', headers: [] },
} as unknown as Exchange;

/** A reading for the laws about documents; all others are silent about it. */
export function readAlone({ documents, shown }: Alone): Reading {
  const outcome: Outcome<unknown> =
    shown === undefined
      ? { kind: 'not-sent', reason: 'a document, and no answer' }
      : { kind: 'result', value: shown.value, wire: documents[0]?.value, exchange: unsent };
  return {
    exchange: unsent,
    operation: shown?.operation,
    isCall: false,
    valid: true,
    rpcId: undefined,
    sentId: false,
    replies: [],
    outcome,
    documents,
    stream: undefined,
    utf8: undefined,
    isAlone: true,
  };
}
