import type { Rule } from '../kit/index.js';
import type { Card } from '../model/index.js';
import type { Patch } from './agent.js';

/** The version of the pack API that this kit has. */
export const apiVersion = 1;

/** One observable sentence of the document that the pack is about. */
export interface PackRow {
  /** "TIMESTAMP-1": capitals, digits and hyphens. */
  readonly id: string;
  /** `<pack>.<name>`: checks cite it. */
  readonly key: string;
  readonly level: 'MUST' | 'SHOULD' | 'MAY';
  readonly section: string;
  /** The sentence in your words. */
  readonly statement: string;
  /** How it is observed from outside, and what passes. */
  readonly observe: string;
  /** Where it is published. */
  readonly url?: string;
}

/** An option that a user may set, as `<pack>.<name>`. */
export interface PackOption {
  readonly about: string;
  /** Its value is hidden in all outputs. */
  readonly secret?: boolean;
  /** Its value if the user sets none. */
  readonly usual?: string;
}

/** A defect of the reference agent that the pack must find. */
export interface PackFault {
  readonly id: string;
  /** What is wrong, for people. */
  readonly about: string;
  /** Keys of the rows that it breaks: a check that cites one of them must fail. */
  readonly breaks: readonly string[];
  readonly patch: Patch;
}

/** An unusual agent that conforms all the same: no check of the pack may fail on it. */
export interface PackVariant {
  readonly id: string;
  readonly about: string;
  readonly patch: Patch;
}

/** What the rules of a pack may read. */
export interface PackSettings {
  /** The value of a declared option; undefined: the user set none, and the option has no default. */
  option(name: string): string | undefined;
}

export interface PackDefinition {
  /** Small letters, digits and hyphens. Ids of checks begin with `<name>/`, keys of rows with `<name>.`. */
  readonly name: string;
  readonly version: string;
  /** The version of this API for which the pack is written: 1. */
  readonly api: number;
  /** The pack applies to agents whose card declares this extension, or one of these. */
  readonly extension?: string | readonly string[];
  /** Why the pack does not apply to a card, such as "the card has no skill that sells"; undefined: it applies. */
  readonly unless?: (card: Card) => string | undefined;
  readonly rows: readonly PackRow[];
  readonly options?: Readonly<Record<string, PackOption>>;
  readonly rules: readonly Rule[] | ((settings: PackSettings) => readonly Rule[]);
  /** What makes the reference agent one that the pack is about: the proof begins with this agent. */
  readonly agent: Patch;
  readonly faults: readonly PackFault[];
  readonly variants?: readonly PackVariant[];
}

/** What a pack exports as `default`. Only `definePack` makes one. */
export interface Pack {
  readonly definition: PackDefinition;
}

/** Packs that were made here: a pack of another copy of the kit has checks that this copy cannot judge. */
const made = new WeakSet<object>();
/** What all copies of the kit know a pack by. */
const mark = Symbol.for('a2a-tck.pack');

/** Marks a definition as a pack. It is judged when the pack is loaded. */
export function definePack(definition: PackDefinition): Pack {
  const pack = { definition, [mark]: true };
  made.add(pack);
  return pack;
}

/** `other`: a pack, made by another copy of the kit. */
export function kindOfPack(value: unknown): 'own' | 'other' | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (made.has(value)) return 'own';
  return mark in value ? 'other' : undefined;
}
