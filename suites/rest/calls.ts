import {
  brief,
  describe,
  type Exchange,
  isObject,
  type JsonObject,
  type Judgement,
  type NativeRequest,
  type Outcome,
  type Reading,
  refused,
} from '../../src/kit/index.js';

// Shared by the checks of this chapter. No rules.

/** Media types of answers (AMB10-07). */
export const jsonTypes: ReadonlySet<string | undefined> = new Set(['application/json', 'application/a2a+json']);

export const statusOf = (outcome: Outcome<unknown>): number | undefined =>
  outcome.kind === 'not-sent' ? undefined : outcome.exchange.response?.status;

/**
 * Expects a refusal that the agent meant: any 4xx, or 501 (AMB10-60). A result, another 5xx, a hang and a lost
 * connection are none.
 */
export function refusedCleanly(outcome: Outcome<unknown>): Judgement {
  const status = statusOf(outcome);
  if (status === 501) return undefined;
  return refused(outcome) ?? (status !== undefined && status >= 500 ? describe(outcome) : undefined);
}

/** The same request with another path: `change` gets the path of the operation. */
export const withPath =
  (change: (path: string) => string) =>
  (request: NativeRequest): NativeRequest => {
    const { origin, pathname, search } = new URL(request.url);
    return { ...request, url: `${origin}${change(pathname)}${search}` };
  };

/** The last segment of a path, with its slash. */
export const lastOf = (path: string): string => path.slice(path.lastIndexOf('/'));

/** The same request with this text as the last segment of its path. */
export const withId = (id: string) => withPath((path) => `${path.slice(0, path.lastIndexOf('/'))}/${id}`);

/** The same request with more in its query, exactly as given. */
export const withQueryText =
  (text: string) =>
  (request: NativeRequest): NativeRequest => ({
    ...request,
    url: `${request.url}${request.url.includes('?') ? '&' : '?'}${text}`,
  });

/** The same request under another verb; only a POST has a body. */
export const withVerb =
  (method: string) =>
  ({ body, contentType, ...request }: NativeRequest): NativeRequest => ({
    ...request,
    method,
    ...(method === 'POST' && body !== undefined ? { body } : {}),
    ...(method === 'POST' && contentType !== undefined ? { contentType } : {}),
  });

const encoder = new TextEncoder();

/** The same request with this text as its body. */
export const withBody =
  (text: string) =>
  (request: NativeRequest): NativeRequest => ({ ...request, body: encoder.encode(text) });

/** Statuses under which operations refuse; the others are those of middleware, routers and gateways. */
const ofOperations: ReadonlySet<number> = new Set([400, 404, 409, 422]);

/**
 * Whether a router may refuse a path before any operation is asked: some decode it first, refuse escapes (encoded
 * slashes, control characters), or take segments of 100 characters at most. What they say then, in JSON too, is not an
 * answer of A2A.
 */
export const mayBeRouted = ({ request }: Exchange): boolean => /%|[^/]{101}/.test(new URL(request.url).pathname);

/** A refusal of an operation. */
export interface OperationRefusal {
  readonly status: number;
  /** The body, if it is a JSON object. */
  readonly body: JsonObject | undefined;
  /** The member `error` of the body, if it is an object. */
  readonly error: JsonObject | undefined;
  readonly exchange: Exchange;
}

/**
 * The refusal of an operation in an answer; undefined: it is another answer, or perhaps one of a router that does not
 * have the path, or of middleware, which know no A2A.
 */
export function refusalIn({ exchange, operation, outcome, replies }: Reading): OperationRefusal | undefined {
  const status = exchange.response?.status ?? 0;
  // Detection does not know the tenant yet.
  if (exchange.purpose === 'detection') return undefined;
  // A body that the tape did not keep is not evidence.
  if (exchange.response?.cut === true || exchange.failure !== undefined) return undefined;
  if (operation === undefined || outcome.kind !== 'refusal' || !ofOperations.has(status)) return undefined;
  if (outcome.fits?.includes('MethodNotFound') === true || mayBeRouted(exchange)) return undefined;
  const [value] = replies.map((reply) => reply.value);
  const body = isObject(value) ? value : undefined;
  // A router answers 404 for paths that it does not have, as a page or as a text.
  if (body === undefined && status === 404) return undefined;
  return { status, body, error: isObject(body?.['error']) ? body['error'] : undefined, exchange };
}

/** The body of a refusal, for people. */
export const bodyText = ({ body }: OperationRefusal): string =>
  body === undefined ? 'no JSON object' : brief(body, 120);
