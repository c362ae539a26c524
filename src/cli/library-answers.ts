/** What a library answers to one kind of request before the code of the agent is called. */
export interface LibraryAnswer {
  /** The request: "a call of a method that the service does not have". */
  readonly request: string;
  /** The checks that show it. */
  readonly checks: readonly string[];
  /** Library to answer, as it was seen: docs/library-answers.md names the versions. */
  readonly answers: Readonly<Record<string, string>>;
}

/** Seen in runs on the servers in `targets/`, whose own code is never reached by these requests. */
export const libraryAnswers: readonly LibraryAnswer[] = [
  {
    request: 'a call of a method or of a service that is not there',
    checks: ['grpc/unknown-rpc', 'grpc/unknown-service'],
    answers: {
      'grpc-go': 'UNIMPLEMENTED "unknown method …"',
      grpcio: 'UNIMPLEMENTED "Method not found!"',
      tonic: 'UNIMPLEMENTED without a message',
    },
  },
  {
    request: 'a call with the content type application/json',
    checks: ['grpc/other-content-type'],
    answers: {
      'grpc-go': 'HTTP 415',
      grpcio: 'takes it for gRPC: the SHOULD fails',
      tonic: 'takes it for gRPC: the SHOULD fails',
    },
  },
  {
    request: 'bytes that are not a message of protobuf',
    checks: ['grpc/malformed', 'grpc/wrong-length'],
    answers: {
      'grpc-go': 'INTERNAL "error unmarshalling request"',
      grpcio: 'UNKNOWN "Unexpected DecodeError"; it waits for a message whose prefix announces more bytes',
      tonic: 'INTERNAL "failed to decode Protobuf message"',
    },
  },
  {
    request: 'a call without any message',
    checks: ['grpc/no-message'],
    answers: { 'grpc-go': 'UNKNOWN "EOF"', grpcio: 'never answers', tonic: 'INTERNAL "Missing request message."' },
  },
  {
    request: 'two messages in a call that takes one',
    checks: ['grpc/two-messages'],
    answers: { 'grpc-go': 'takes the first', grpcio: 'takes the first', tonic: 'takes the first' },
  },
  {
    request: 'a message that says it is compressed, without an encoding',
    checks: ['grpc/compressed-flag'],
    answers: { 'grpc-go': 'INTERNAL', grpcio: 'INTERNAL', tonic: 'INTERNAL' },
  },
  {
    request: 'a message of more than 4 MiB',
    checks: ['grpc/large-message'],
    answers: { 'grpc-go': 'RESOURCE_EXHAUSTED', grpcio: 'RESOURCE_EXHAUSTED', tonic: 'OUT_OF_RANGE' },
  },
  {
    request: 'another verb than the path has',
    checks: ['rest/wrong-verb', 'rest/allow'],
    answers: {
      'net/http': '405 "Method Not Allowed", plain text',
      Starlette: '404 "Not Found", plain text',
      Quarkus: '405 without a body',
    },
  },
  {
    request: 'a path with a slash too many',
    checks: ['rest/slashes'],
    answers: { 'net/http': '404 "404 page not found", plain text', Starlette: '404 "Not Found", plain text' },
  },
  {
    request: 'a path with a broken escape, %zz',
    checks: ['rest/bad-escape'],
    answers: { 'net/http': '400 "400 Bad Request", plain text' },
  },
  {
    request: 'a GET to the endpoint of JSON-RPC',
    checks: ['rpc/get-endpoint'],
    answers: {
      'a2a-go': '-32600 "invalid request"',
      Starlette: '405 "Method Not Allowed", plain text',
      Quarkus: '405 without a body',
    },
  },
  {
    request: 'a call as text/plain',
    checks: ['rpc/other-content-type'],
    answers: {
      'a2a-go': 'reads it',
      'a2a-sdk (Python)': 'reads it',
      'a2a-protocol-server': '-32005 "unsupported Content-Type"',
      Quarkus: '415 without a body',
    },
  },
  {
    request: 'JSON that ends too early, or no body',
    checks: ['rpc/parse-error', 'rpc/parse-error-id', 'rpc/empty-body'],
    answers: {
      'a2a-go': '-32700',
      'a2a-sdk (Python)': '-32700',
      'a2a-protocol-server': '-32700',
      'a2a-java 0.3': '-32600 "Request payload validation error" without an id, and -32603 for no body: the MUSTs fail',
    },
  },
  {
    request: 'a body that is the number 1',
    checks: ['rpc/scalar-body'],
    answers: {
      'a2a-go': '-32602 "cannot unmarshal number": the SHOULD fails',
      'a2a-sdk (Python)': '-32600',
      'a2a-protocol-server': '-32600',
      'a2a-java 0.3': '-32600',
    },
  },
  {
    request: 'metadata that is nested 300 deep',
    checks: ['rpc/deep-nesting'],
    answers: {
      'a2a-sdk (Python)': '-32602 over JSON-RPC; UNKNOWN "Unexpected DecodeError" over gRPC',
      'a2a-protocol-server': '-32700 "recursion limit exceeded"',
    },
  },
];

/** What libraries answer where this check looks; empty: it is the code of the agent that answers. */
export const answersAt = (check: string): readonly LibraryAnswer[] =>
  libraryAnswers.filter(({ checks }) => checks.includes(check));
