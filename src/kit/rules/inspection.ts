/** The schema inspector as checks see it; made by the ledger from the schemas of a dialect. */
export interface Finding {
  /** Key of the requirement row that the place in the schema carries, or `unruled`. */
  readonly rule: string;
  /** JSON pointer into the document. */
  readonly path: string;
  readonly message: string;
  readonly seen: string;
}
export interface Inspection {
  readonly findings: readonly Finding[];
  /** How many more places of each rule are broken than `findings` has. */
  readonly more: ReadonlyMap<string, number>;
  /** Keys that could be judged. */
  readonly visited: ReadonlySet<string>;
}
export interface Inspector {
  inspect(ref: string, document: unknown): Inspection;
  has(ref: string): boolean;
}
