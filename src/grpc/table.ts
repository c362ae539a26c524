/**
 * One field: `<number>[!][?] <type>[[]] [as <JSON name>] [in <oneof>]`. `!`: the version requires it; `?`: absent and
 * zero are two things; `[]`: a list. A type is a scalar, a well-known type of google.protobuf, or a message or an enum of
 * the package. Without `as` the JSON name is the name in lower camel case.
 */
export type FieldText = string;

/** Request, reply, and whether the reply is a stream. */
export type MethodTable = readonly [request: string, reply: string, streams?: true];

/** The messages of a proto package: the facts of its proto file, without its options. A plain value. */
export interface PackageTable {
  /** "lf.a2a.v1". */
  readonly name: string;
  readonly enums: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly messages: Readonly<Record<string, Readonly<Record<string, FieldText>>>>;
  /** Of its service, which is called A2AService. */
  readonly methods: Readonly<Record<string, MethodTable>>;
}
