/** What kind of error a node names. XPR: the error shape of the chain RPC. */
interface Kind {
  readonly status: number;
  readonly message: string;
  readonly code: number;
  readonly name: string;
  readonly what: string;
}

const unspecified = { code: 0, name: 'exception', what: 'unspecified' } as const;

const kinds = {
  unknownKey: { status: 500, message: 'Internal Service Error', ...unspecified },
  unknownEndpoint: { status: 404, message: 'Not Found', ...unspecified },
  tooLarge: { status: 413, message: 'Payload Too Large', ...unspecified },
  invalidName: {
    status: 400,
    message: 'Invalid Request',
    code: 3010001,
    name: 'name_type_exception',
    what: 'Invalid name',
  },
  invalidRequest: {
    status: 400,
    message: 'Invalid Request',
    code: 3200006,
    name: 'invalid_http_request',
    what: 'invalid http request',
  },
  noConversion: {
    status: 500,
    message: 'Internal Service Error',
    code: 3010000,
    name: 'chain_type_exception',
    what: 'chain type exception',
  },
  noContract: {
    status: 500,
    message: 'Internal Service Error',
    code: 3060002,
    name: 'account_query_exception',
    what: 'Account Query Exception',
  },
  noTable: {
    status: 500,
    message: 'Internal Service Error',
    code: 3060003,
    name: 'contract_table_query_exception',
    what: 'Contract Table Query Exception',
  },
} satisfies Readonly<Record<string, Kind>>;

/** A request that a node refuses. `detail` is what clients show. */
export class ChainRefusal extends Error {
  readonly kind: keyof typeof kinds;
  constructor(kind: keyof typeof kinds, detail: string) {
    super(detail);
    this.name = 'ChainRefusal';
    this.kind = kind;
  }
}

/** HTTP status, and `{ code, message, error: { code, name, what, details: [{ message, … }] } }`. */
export function refusalBody({ kind, message: detail }: ChainRefusal): {
  readonly status: number;
  readonly body: unknown;
} {
  const { status, message, code, name, what } = kinds[kind];
  const details = [{ message: detail, file: 'chain_plugin.cpp', line_number: 1, method: 'stub' }];
  return { status, body: { code: status, message, error: { code, name, what, details } } };
}

/** A text of a request in quotes, cut to 100 characters, to stand in an answer; for other values their type alone. */
export const quoted = (value: unknown): string =>
  typeof value === 'string' ? `'${value.slice(0, 100)}'` : `of type ${typeof value}`;
