import type { Binding, BindingId, ErrorTable, OperationNames } from '../binding/index.js';
import type { Card, ErrorName, Operation, Operations } from '../model/index.js';
import type { Codec } from './codec.js';

/** Parameters and result of one operation as this dialect spells them. */
export interface OperationCodec<Op extends Operation> extends OperationNames {
  /** The URL for an endpoint from which this version fetches the result with a plain HTTP GET, without JSON-RPC. */
  readonly url?: (endpoint: string) => string;
  readonly params: Codec<Operations[Op]['params']>;
  readonly result: Codec<Operations[Op]['result']>;
}
/** Absent: the dialect has no such operation. */
export type OperationTable = { readonly [Op in Operation]?: OperationCodec<Op> } & {
  /** Every dialect can read a task: detection asks for one. */
  readonly get: OperationCodec<'get'>;
};

/** Observations of a run about the points in which the texts of one version differ. */
export interface TextClues {
  /** Errors of A2A with and without a google.rpc.ErrorInfo among their details. */
  readonly errorsWithInfo: number;
  readonly errorsWithoutInfo: number;
  /** Errors of JSON-RPC itself whose data is an object and no list. */
  readonly objectsAsData: number;
  /** Media types of the notifications that came. */
  readonly notificationTypes: ReadonlySet<string>;
}

/** Which text of its version an agent follows. */
export interface TextFollowed {
  /** Such as 1.0.1; undefined: the observations fit several texts. */
  readonly text: string | undefined;
  /** One line for people. */
  readonly says: string;
}

/** What has several spellings in some dialects. */
export type Spelled = 'message' | 'config';

/**
 * How one version or dialect spells the canonical model. A plain value, often defined as changes to another one. `Other`:
 * the ids of its other spellings.
 */
export interface Dialect<Id extends string = string, Other extends string = string> {
  readonly id: Id;
  /** What it spells, such as `a2a-1.0`: the same in the profiles of a version over several bindings. */
  readonly version: string;
  /** The dialects that this one is a delta of: what is kept for their profiles (`isFor`) is kept for this one too. */
  readonly derivedFrom?: readonly Dialect[];
  /** The version as cards name it: "1.0", "0.3.0"; undefined where the dialect is not a version of A2A. */
  readonly protocolVersion: string | undefined;
  /** For people: "A2A 0.3.0 over JSON-RPC". */
  readonly title: string;
  /** File of requirement rows: `schemas/requirements/<ledger>.yaml`. */
  readonly ledger: string;
  /** File of the rows of its clients; undefined: the kit has no requirements for them. */
  readonly clientLedger: string | undefined;
  /** Folder below `schemas/` with `agent-card.schema.json` and `rpc.schema.json`. */
  readonly schemas: string;
  /** Where the card is looked for below the origin; the first is the dialect's own. */
  readonly cardPaths: readonly string[];
  /** Path of the endpoint below the card's URL when the card names none. */
  readonly endpointPath: string;
  /** Sent with every call. */
  readonly headers: readonly (readonly [string, string])[];
  /** The header in which a request or answer carries activated extensions. */
  readonly extensionHeader: string;
  readonly operations: OperationTable;
  /** Operations that an agent may lack even where its card declares the capability: no check fails for an unknown method. */
  readonly optional: readonly Operation[];
  readonly card: Codec<Card>;
  /** How operations travel. */
  readonly binding: Binding;
  /** The same version with messages or push configs in other spellings: some agents read one of them, and not this one's. */
  readonly otherSpellings?: Readonly<Record<Spelled, readonly Dialect<Other, Other>[]>>;
  /** The numbers in the bindings of the errors that this version defines. */
  readonly errors: ErrorTable;
  /**
   * For a dialect that is not a version of A2A: whether the card has all of its marks, some, or none. Absent for a
   * version, which the card names.
   */
  readonly recognises?: (cardDocument: unknown) => 'yes' | 'maybe' | 'no';
  /**
   * For a version: how likely a card that names none is one of it, by its members and its place. Absent: always `maybe`.
   */
  readonly fits?: (cardDocument: unknown, url: string) => 'yes' | 'maybe' | 'no';
  /** Which text of the version the agent follows; absent where there is one text. */
  readonly textOf?: (clues: TextClues) => TextFollowed;
  /** The pack that signs calls, and what a user gives it for that, at a terminal and in scripts; absent: calls are not signed. */
  readonly signed?: { readonly pack: string; readonly give: string; readonly inScripts: string };
  /** The extension of payments is made for this version. */
  readonly pays: boolean;
  /** Stream events of this version carry a final flag. */
  readonly finalFlag: boolean;
}

/** What something is kept for; left out: for all. */
export interface KeptFor<Id extends string = string> {
  readonly profiles?: readonly Id[];
  readonly binding?: BindingId;
  /** Bindings and profiles that have no form for it, or in which it means nothing. */
  readonly notOver?: readonly (BindingId | Id)[];
}

/** Whether something that is kept for some profiles or one binding is for this dialect. */
export const isFor = ({ profiles, binding: only, notOver }: KeptFor, dialect: Dialect): boolean =>
  notOver?.some((excluded) => excluded === dialect.binding.id || excluded === dialect.id) !== true &&
  (only === undefined || only === dialect.binding.id) &&
  (profiles === undefined || lineage(dialect).some((id) => profiles.includes(id)));

/** The profile of a dialect, and those of the dialects that it is derived from: each before those that it is made from. */
export function lineage<Id extends string>({ id, derivedFrom = [] }: Dialect<Id>): readonly Id[] {
  const all = [id, ...derivedFrom.flatMap((parent) => lineage(parent) as readonly Id[])];
  return all.filter((profile, at) => all.lastIndexOf(profile) === at);
}

/** The name that this dialect gives to a code of JSON-RPC. */
export function errorName(dialect: Dialect, code: number): ErrorName | undefined {
  for (const [name, known] of Object.entries(dialect.errors)) if (known.rpc === code) return name as ErrorName;
  return undefined;
}

export function methodOf(dialect: Dialect, operation: Operation): string | undefined {
  return dialect.operations[operation]?.rpc;
}
