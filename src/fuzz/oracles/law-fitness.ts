// Which laws of the suites apply to the traffic of a fuzzer.

/** Whole suites whose laws judge what a fuzzer never fetches. */
export const unfitSuites: Readonly<Record<string, string>> = {
  card: 'they judge the card, which is fetched once and not by the fuzzer',
  signature: 'they judge the signatures of the card',
};

/** Laws that are not asked, with the reason. */
export const unfitLaws: Readonly<Record<string, string>> = {
  'auth/hsts': 'a header of the server, the same on each answer: no input changes it',
  'rpc/malformed-answered': 'the oracle of life judges the same with a second look at the agent',
  'rpc/parse-error-meaning': 'the oracle of errors judges the same, and knows what a strict parser may refuse',
  'rpc/validated-first': 'the oracle of leaks reads more forms, and names its sentence',
  'xpr/robust': 'the oracle of life judges the same with a second look at the agent',
  'xpr/no-disclosure': 'the oracle of leaks reads more forms, and names its sentence',
  'grpc/every-rpc': 'refusals have the same status: the checks look whether other calls of the method get another one',
  'dialect/no-streaming': 'it judges the card',
  'dialect/no-push': 'it judges the card',
  'dialect/no-security': 'it judges the card',
  'dialect/flags-declared': 'it judges the card',
  'dialect/skill-examples': 'it judges the card',
  'dialect/card-metadata': 'it judges the card',
};

/** Laws about frames and envelopes, which hold whatever was sent before. */
const ofTransport: ReadonlySet<string> = new Set([
  'stream/http-status',
  'stream/content-type',
  'stream/sse-framing',
  'stream/envelope',
  'stream/id-echoed',
  'stream/subscription-transport',
  'stream/subscription-id',
  'grpc/content-type',
  'grpc/one-message',
  'grpc/status',
  'grpc/status-details',
  'grpc/details-typed',
  'grpc/error-info',
  'grpc/error-message',
  'grpc/message-encoding',
  'grpc/status-table',
]);
const ofContent: ReadonlySet<string> = new Set([
  'data',
  'message',
  'dialect',
  'extension',
  'push',
  'stream',
  'x402',
  'grpc',
]);

/** Whether a law judges the content of tasks or messages, where a lenient agent may repeat what the fuzzer broke. */
export const judgesContent = (id: string): boolean =>
  ofContent.has(id.slice(0, id.indexOf('/'))) && !ofTransport.has(id);

/** Laws that compare with earlier answers: the order of concurrent requests is unknown. */
export const comparesAnswers: ReadonlySet<string> = new Set(['task/legal-moves', 'x402/status-order']);

/** Laws of errors about the fields of a request: a refused payment is not such an error. */
export const namesFields: ReadonlySet<string> = new Set(['rpc/bad-request-details']);

/**
 * Laws that compare ids, and so treat a request without an id as one with another id: the id of some requests is
 * unknown.
 */
export const comparesIds: ReadonlySet<string> = new Set([
  'stream/id-echoed',
  'stream/subscription-id',
  'xpr/error-envelope',
]);

/** Laws that search the text of the request for names, which may be written in other ways. */
export const readsText: ReadonlySet<string> = new Set(['rpc/code-meaning', 'stream/append-known']);
