import type { Level } from '../model/index.js';

// What is said of a document that was judged without an agent. `schemas/kit/validation.schema.json`.

/** A place in the text of the document, counted from 1; columns in UTF-16 code units. */
export interface DocumentPlace {
  /** JSON pointer; of a missing member the place where it should be. */
  readonly pointer: string;
  /** Where it stands; of what is missing the place of what should hold it. */
  readonly line: number;
  readonly column: number;
}

/** One place at which the document breaks a sentence. */
export interface DocumentFault extends DocumentPlace {
  /** MUST or SHOULD: what a document may leave out is not a fault. */
  readonly level: Exclude<Level, 'may'>;
  /** What is wrong at the pointer, without it: "is missing". Contains text of the document. */
  readonly problem: string;
  /** The value there, shortened; left out where there is none. */
  readonly seen?: string;
  /** The check that finds the same on an agent; left out: no check has it. */
  readonly check?: string;
  /** The sentence; left out: no specification has one, as for JSON that cannot be read. */
  readonly requirement?: string;
  readonly section?: string;
  readonly statement?: string;
  /** Where the sentence is published. */
  readonly link?: string;
  /** What to do. */
  readonly fix?: string;
}

/** An observation that is not a fault. */
export interface DocumentNote extends DocumentPlace {
  readonly text: string;
}

/** A check that the document passed, or did not. */
export interface DocumentCheck {
  readonly id: string;
  readonly title: string;
  readonly level: Level;
  readonly verdict: 'pass' | 'fail';
  readonly requirements: readonly string[];
  readonly section: string;
}

export interface Validation {
  readonly schema: 'a2a-tck-validation/1';
  readonly kit: { readonly name: string; readonly version: string };
  readonly document: {
    /** File, URL, or `stdin`. */
    readonly source: string;
    /** `card`, `task`, …; left out where the text could not be read. */
    readonly kind?: string;
    /** Which version it was judged as; left out for documents that are the same in all. */
    readonly profile?: string;
    /** For people: "an agent card of A2A 0.3.0". */
    readonly title: string;
    /** How kind and version were found out. */
    readonly because: string;
  };
  /** The document has no fault that counts: no MUST, with --strict no SHOULD either. */
  readonly passed: boolean;
  readonly exitCode: 0 | 1;
  readonly summary: { readonly must: number; readonly should: number };
  /** In the order of the text, MUST first. */
  readonly faults: readonly DocumentFault[];
  /** How many more faults there are than the list has. */
  readonly more: number;
  readonly notes: readonly DocumentNote[];
  /** Signatures of a card that were checked with the given key. */
  readonly signatures: readonly DocumentSignature[];
  readonly checks: readonly DocumentCheck[];
}

export interface DocumentSignature {
  readonly pointer: string;
  readonly verified: boolean;
  /** Why not, or which reading of the canonical form it is made over. */
  readonly detail: string;
}
