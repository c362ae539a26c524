import { type BindingId, type Card, type Level, memo } from '../model/index.js';
import { readData } from './data-file.js';
import type { RequirementKey } from './generated.js';

/** One observable sentence of a specification, in our words. */
export interface Requirement {
  readonly id: string;
  /** The same sentence has the same key in every version. */
  readonly key: RequirementKey | undefined;
  /** The level of the sentence, lowered where the text is contradictory (`max_verdict`). */
  readonly level: Level;
  readonly section: string;
  /** Its section in the texts of bindings, where it is another one. */
  readonly sections: Readonly<Partial<Record<BindingId, string>>> | undefined;
  readonly statement: string;
  /** How it is observed from outside, and what passes. */
  readonly observe: string;
  /** Preconditions of the sentence, in words of the ledger's vocabulary. */
  readonly needs: readonly string[];
  /** Why it cannot be observed from outside; undefined if it can. */
  readonly unobservable: string | undefined;
  /** Why no check covers it although it can be observed. */
  readonly uncovered: string | undefined;
  readonly ambiguity: string | undefined;
  /** The text of the version that added the sentence, such as 1.0.1; undefined: the first one has it. */
  readonly since: string | undefined;
  /** The binding that the sentence belongs to; undefined: every binding. */
  readonly binding: BindingId | undefined;
  /** The document in which it stands, as in `schemas/published.json`; undefined: the one that its id names. */
  readonly document: string | undefined;
  /** Where it is published, if it is a row of a pack that says so; of all others `publishedAt` knows it. */
  readonly url?: string;
  /** Of a row of a pack: what the card lacks, so that the row does not apply; undefined: nothing. */
  readonly claim?: (card: Card) => string | undefined;
}

export interface Ledger {
  readonly id: string;
  readonly version: string;
  readonly rows: readonly Requirement[];
  /** Meaning of each word in `needs`. */
  readonly vocabulary: Readonly<Record<string, string>>;
  row(key: RequirementKey): Requirement | undefined;
  /** The row of a key, and those that say the same sentence of one binding. */
  rowsOf(key: RequirementKey): readonly Requirement[];
}

interface RawRow {
  readonly id: string;
  readonly key?: RequirementKey;
  readonly level: 'MUST' | 'SHOULD' | 'MAY';
  readonly section: string;
  readonly sections?: Readonly<Partial<Record<BindingId, string>>>;
  readonly statement: string;
  readonly observe: string;
  readonly needs: readonly string[];
  readonly testable: string;
  readonly uncovered?: string;
  readonly ambiguity?: string;
  readonly since?: string;
  readonly max_verdict?: 'warn' | 'info';
  /** The binding that the sentence belongs to; left out: every binding. */
  readonly binding?: BindingId;
}
interface RawLedger {
  readonly meta: {
    readonly protocolVersion: string;
    readonly needs_vocabulary?: Readonly<Record<string, string>>;
    /**
     * Other ledgers whose rows apply here too, except those in `without` and those replaced under the same key. Where
     * two of them change what both extend, the first in the list counts.
     */
    readonly extends?: readonly string[];
    readonly without?: readonly string[];
    /** The binding of the profile: rows of other bindings that the extended ledger has do not apply. Default JSON-RPC. */
    readonly binding?: BindingId;
    /** The document in which all its rows stand, those of the extended ledger too. */
    readonly document?: string;
  };
  readonly requirements: readonly RawRow[];
}

function row(raw: RawRow, document: string | undefined): Requirement {
  const stated = raw.level.toLowerCase() as Level;
  const level =
    raw.max_verdict === 'info' ? 'may' : raw.max_verdict === 'warn' && stated === 'must' ? 'should' : stated;
  const unobservable = /^not-observable:\s*(.*)$/s.exec(raw.testable)?.[1];
  const { id, key, section, sections, statement, observe, needs, ambiguity, uncovered, since, binding } = raw;
  return {
    id,
    key,
    level,
    section,
    sections,
    statement,
    observe,
    needs,
    unobservable,
    uncovered,
    ambiguity,
    since,
    binding,
    document,
  };
}

/** Whether a text of the version has the sentence. If the text is not known, the latest counts. */
export const isIn = ({ since }: Pick<Requirement, 'since'>, text: string | undefined): boolean =>
  since === undefined || text === undefined || since.localeCompare(text, 'en', { numeric: true }) <= 0;

/** The ledger with only the rows that a text has. */
export function inText(ledger: Ledger, text: string | undefined): Ledger {
  const without = new Set(ledger.rows.filter((row) => !isIn(row, text)));
  if (without.size === 0) return ledger;
  return {
    ...ledger,
    rows: ledger.rows.filter((row) => !without.has(row)),
    row(key) {
      const found = ledger.row(key);
      return found === undefined || without.has(found) ? undefined : found;
    },
    rowsOf: (key) => ledger.rowsOf(key).filter((requirement) => !without.has(requirement)),
  };
}

const rawLedger = memo(
  (id: string) => id,
  (id: string) => readData(`requirements/${id}`) as RawLedger,
);

/** A ledger and all that it extends: each before those that it is made from. */
function extended(id: string): readonly string[] {
  const all = [id, ...(rawLedger(id).meta.extends ?? []).flatMap(extended)];
  return all.filter((text, at) => all.lastIndexOf(text) === at);
}

/** The rows so far, and over them what a ledger says for a binding. */
function withRowsOf(rows: readonly Requirement[], { meta, requirements }: RawLedger, of: BindingId): Requirement[] {
  const { without = [], document } = meta;
  const own = requirements.map((requirement) => row(requirement, document));
  // A row of one binding stands beside the general row of its key, and does not replace it.
  const replaced = new Set<string | undefined>([
    ...own.filter((requirement) => requirement.binding === undefined).map((requirement) => requirement.key),
    ...without,
  ]);
  const kept = rows
    .filter(
      (row) => !replaced.has(row.key) && !replaced.has(row.id) && (row.binding === undefined || row.binding === of),
    )
    .map((row) => (document === undefined ? row : { ...row, document }));
  return [...kept, ...own];
}

/** Reads `schemas/requirements/<id>.yaml`, over those that it extends. Throws when the file is missing. */
export const loadLedger: (id: string) => Ledger = memo((id) => id, read);

function read(id: string): Ledger {
  const { meta } = rawLedger(id);
  const layers = extended(id).map(rawLedger).reverse();
  return ledgerOf(
    layers.reduce<readonly Requirement[]>((so, layer) => withRowsOf(so, layer, meta.binding ?? 'jsonrpc'), []),
    {
      id,
      version: meta.protocolVersion,
      vocabulary: Object.assign({}, ...layers.map((layer) => layer.meta.needs_vocabulary)),
    },
  );
}

/** A ledger of these rows. */
export function ledgerOf(rows: readonly Requirement[], about: Pick<Ledger, 'id' | 'version' | 'vocabulary'>): Ledger {
  const byKey = new Map<RequirementKey, Requirement[]>();
  for (const row of rows) {
    if (row.key === undefined) continue;
    const known = byKey.get(row.key);
    if (known === undefined) byKey.set(row.key, [row]);
    else known.push(row);
  }
  return { ...about, rows, row: (key) => byKey.get(key)?.[0], rowsOf: (key) => byKey.get(key) ?? [] };
}

/** A ledger with the rows of others added. Each key is in only one of them. */
export function overlaid(base: Ledger, ...others: readonly Ledger[]): Ledger {
  const ledgers = [base, ...others];
  return {
    ...base,
    rows: ledgers.flatMap(({ rows }) => rows),
    vocabulary: Object.assign({}, ...ledgers.map(({ vocabulary }) => vocabulary)),
    row: (key) => ledgers.map((ledger) => ledger.row(key)).find((requirement) => requirement !== undefined),
    rowsOf: (key) => ledgers.flatMap((ledger) => ledger.rowsOf(key)),
  };
}
