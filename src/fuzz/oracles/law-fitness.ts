// Which laws of the suites apply to the traffic of a fuzzer.

/** Whole suites whose laws judge what a fuzzer never fetches. */
export const unfitSuites: Readonly<Record<string, string>> = {
  card: 'they judge the card, which is fetched once and not by the fuzzer',
  signature: 'they judge the signatures of the card',
};

/** Laws that are not asked, with the reason. */
const unfitOfKit: Readonly<Record<string, string>> = {
  'auth/hsts': 'a header of the server, the same on each answer: no input changes it',
  'rpc/malformed-answered': 'the oracle of life judges the same with a second look at the agent',
  'rpc/parse-error-meaning': 'the oracle of errors judges the same, and knows what a strict parser may refuse',
  'rpc/validated-first': 'the oracle of leaks reads more forms, and names its sentence',
  'grpc/every-rpc': 'refusals have the same status: the checks look whether other calls of the method get another one',
  'dialect/no-streaming': 'it judges the card',
  'dialect/no-push': 'it judges the card',
  'dialect/no-security': 'it judges the card',
  'dialect/flags-declared': 'it judges the card',
  'dialect/skill-examples': 'it judges the card',
  'dialect/card-metadata': 'it judges the card',
};

const unfitOfPacks: Record<string, string> = {};
/** Why a law is not asked; undefined: it is. */
export const whyUnfit = (id: string): string | undefined => unfitOfKit[id] ?? unfitOfPacks[id];
/** All laws that are not asked, with the reason. */
export const unfitLaws = (): Readonly<Record<string, string>> => ({ ...unfitOfKit, ...unfitOfPacks });

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
const ofContent = new Set(['data', 'message', 'dialect', 'extension', 'push', 'stream', 'grpc']);

/** Whether a law judges the content of tasks or messages, where a lenient agent may repeat what the fuzzer broke. */
export const judgesContent = (id: string): boolean =>
  ofContent.has(id.slice(0, id.indexOf('/'))) && !ofTransport.has(id);

/** Laws that compare with earlier answers: the order of concurrent requests is unknown. */
const comparingAnswers = new Set(['task/legal-moves']);
export const comparesAnswers: ReadonlySet<string> = comparingAnswers;

/** Laws of errors about the fields of a request: a refused payment is not such an error. */
export const namesFields: ReadonlySet<string> = new Set(['rpc/bad-request-details']);

/**
 * Laws that compare ids, and so treat a request without an id as one with another id: the id of some requests is
 * unknown.
 */
const comparingIds = new Set(['stream/id-echoed', 'stream/subscription-id']);
export const comparesIds: ReadonlySet<string> = comparingIds;

/** Laws that search the text of the request for names, which may be written in other ways. */
export const readsText: ReadonlySet<string> = new Set(['rpc/code-meaning', 'stream/append-known']);

/** Which laws of a pack are treated in another way than others. */
export interface PackLaws {
  /** Not asked, with the reason. */
  readonly unfit?: Readonly<Record<string, string>>;
  /** The laws of the pack judge the content of tasks or messages. */
  readonly ofContent?: true;
  readonly comparesAnswers?: readonly string[];
  readonly comparesIds?: readonly string[];
}

/** Adds the laws of a pack. */
export function addLaws(pack: string, laws: PackLaws): void {
  Object.assign(unfitOfPacks, laws.unfit);
  if (laws.ofContent === true) ofContent.add(pack);
  for (const id of laws.comparesAnswers ?? []) comparingAnswers.add(id);
  for (const id of laws.comparesIds ?? []) comparingIds.add(id);
}
