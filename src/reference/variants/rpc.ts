import { member } from '../../model/index.js';
import type { Reply, RpcCall } from '../calls.js';
import { mistaking, onEnvelope, onError, onNotification } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { jsonHeaders, peek } from '../http.js';
import { depthOf } from '../looking.js';
import { type Patch, together } from '../seams.js';
import { a2a, allBut, before10, signers, variant } from '../variant.js';
import { able } from './declaring.js';

const code = (response: unknown): unknown => member(member(response, 'error'), 'code');

/** Takes at most 20 calls in any minute; a call over the limit is answered by `refuse` and not carried out. */
const limited =
  (refuse: (id: unknown, waitMs: number) => Reply): Patch =>
  (inner, { clock }) => {
    const calls: number[] = [];
    return {
      async serveRpc(request) {
        const now = clock.now();
        while ((calls[0] ?? now) <= now - 60_000) calls.shift();
        const [oldest] = calls;
        if (calls.length < 20 || oldest === undefined) {
          calls.push(now);
          return inner.serveRpc(request);
        }
        const id = member(peek(request), 'id') ?? null;
        return refuse(id, oldest + 60_000 - now);
      },
    };
  };

export const rpcVariants = [
  variant('http-status-of-errors', {
    about: 'Errors come with an HTTP status that suits them (AMB03-19).',
    patch: (inner, { dialect }) => ({
      httpStatus(response) {
        const found = code(response);
        if (found === undefined) return inner.httpStatus(response);
        if (found === dialect.errors.TaskNotFound?.rpc || found === dialect.errors.MethodNotFound?.rpc) return 404;
        return found === dialect.errors.InternalError?.rpc ? 500 : 400;
      },
    }),
  }),
  variant('http-500-around-errors', {
    about: 'Every error comes with HTTP 500 around a well-formed envelope (AMB03-19).',
    binding: 'jsonrpc',
    patch: (inner) => ({
      httpStatus: (response) => (code(response) === undefined ? inner.httpStatus(response) : 500),
    }),
  }),
  variant('router-knows-no-query', {
    about: 'The router knows its URL without a query only, and answers 404 without a body (AMB10-09).',
    binding: 'jsonrpc',
    profiles: ['a2a-1.0'],
    patch: (inner) => ({
      async serveRpc(request) {
        return new URL(request.url).search === '' ? inner.serveRpc(request) : { status: 404, headers: [], body: '' };
      },
    }),
  }),
  variant('parser-with-limits', {
    about: 'The parser takes no NUL and no nesting deeper than 40: such bodies are not JSON to it (RFC 8259 §9).',
    binding: 'jsonrpc',
    patch: (inner) => ({
      parse(body) {
        const text = Buffer.from(body).toString();
        if (text.includes('\\u0000') || depthOf(text) > 40) throw new RpcFailure('ParseError');
        return inner.parse(body);
      },
    }),
  }),
  variant('refuses-in-words-of-a-validator', {
    about: 'Refusals of params have the words of a validator, with the name of its error.',
    patch: onError((error, failure) =>
      failure === 'InvalidParams'
        ? { ...error, message: `TypeError: expected an object, received null (${error['message']})` }
        : error,
    ),
  }),
  variant('null-id-on-invalid-requests', {
    about: 'Answers an invalid request with id null, even where its id can be read (AMB03-20).',
    patch: onEnvelope((response, call) => (call === undefined ? { ...response, id: null } : response)),
  }),
  variant('takes-batches', {
    about: 'Answers a batch with an array (rpc.batch).',
    patch: (inner) => ({
      async answer(value, request) {
        if (!Array.isArray(value) || value.length === 0) return inner.answer(value, request);
        const answers = await Promise.all(value.map((item) => inner.answer(item, request)));
        const given = answers.filter((answer) => answer !== undefined);
        return given.length === 0 ? undefined : given;
      },
    }),
  }),
  variant('answers-notifications', {
    about: 'A notification is carried out and answered with id null (AMB03-18).',
    patch: (inner) => ({
      admit(value, request): RpcCall {
        const call = inner.admit(value, request);
        return { ...call, id: call.id ?? null };
      },
    }),
  }),
  variant('requires-an-id', {
    about: 'A request without an id, or with null, is invalid (AMB03-18).',
    patch: (inner) => ({
      admit(value, request) {
        const call = inner.admit(value, request);
        if (call.id === undefined || call.id === null) throw new RpcFailure('InvalidRequest', 'id is missing');
        return call;
      },
    }),
  }),
  variant('undeclared-methods-do-not-exist', {
    about: 'What the card does not promise is answered with -32601 (AMB03-11, AMB03-14).',
    patch: together(
      mistaking('UnsupportedOperation', 'MethodNotFound', 'stream'),
      mistaking('UnsupportedOperation', 'MethodNotFound', 'subscribe'),
      mistaking('ExtendedCardNotConfigured', 'MethodNotFound'),
    ),
    profiles: before10,
  }),
  variant('lenient-json', {
    about: 'Reads more than JSON: single quotes, bare names, NaN, a tail after the value (AMB03-36, AMB10-40).',
    patch: (inner) => ({
      parse(body) {
        const text = Buffer.from(body).toString();
        const mended = text
          .replace(/ and more$/, '')
          .replaceAll("'", '"')
          .replace('NaN', '0');
        return inner.parse(new TextEncoder().encode(mended.replaceAll(/([{,])(\w+):/g, '$1"$2":')));
      },
    }),
  }),
  variant('nan-is-an-invalid-request', {
    about: 'Reads NaN, and refuses it with -32600 like every wrong shape (AMB03-21, AMB03-36, AMB10-40).',
    binding: 'jsonrpc',
    patch: (inner) => ({
      parse: (body) => inner.parse(new TextEncoder().encode(Buffer.from(body).toString().replace(':NaN', ':"NaN"'))),
      problems: (op, wire) =>
        member(wire, 'historyLength') === 'NaN'
          ? [{ path: 'historyLength', about: 'historyLength must be a number', failure: 'InvalidRequest' }]
          : inner.problems(op, wire),
    }),
    profiles: a2a,
  }),
  variant('empty-batch-as-array', {
    about: 'Answers an empty batch with an empty array (AMB03-18).',
    patch: (inner) => ({
      serveRpc: async (request) => {
        const sent = peek(request);
        const isEmpty = request.method === 'POST' && Array.isArray(sent) && sent.length === 0;
        return isEmpty ? { status: 200, headers: jsonHeaders, body: '[]' } : inner.serveRpc(request);
      },
    }),
  }),
  variant('follows-1-0-0', {
    about:
      'Follows the first text of 1.0: webhooks get application/json, and errors of JSON-RPC have an object as data.',
    binding: 'jsonrpc',
    patch: together(
      able({ push: true }),
      onNotification(({ headers, ...request }) => ({
        ...request,
        headers: headers.map(([name, value]) =>
          name.toLowerCase() === 'content-type' ? [name, 'application/json'] : [name, value],
        ),
      })),
      onError((error, failure, call) =>
        ['MethodNotFound', 'InvalidParams', 'InvalidRequest', 'ParseError'].includes(failure)
          ? { ...error, data: { method: call?.method ?? '' } }
          : error,
      ),
    ),
    profiles: ['a2a-1.0'],
  }),
  variant('denies-listing', {
    about: 'ListTasks wants credentials that no caller has, and says so by an error of its own (1.0 §3.3.2).',
    profiles: ['a2a-1.0'],
    patch: onEnvelope((response, call) =>
      call?.method !== 'ListTasks'
        ? response
        : {
            jsonrpc: '2.0',
            id: call.id ?? null,
            error: {
              code: -31401,
              message: 'Who are you?',
              data: [
                {
                  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
                  reason: 'UNAUTHENTICATED',
                  domain: 'agent.example',
                },
              ],
            },
          },
    ),
  }),
  variant('two-at-once', {
    about: 'Of calls that are under way two are answered, and all others with 503 (RFC 9110 §15.6.4).',
    // Where callers sign, the agent answers 429.
    profiles: allBut(...signers),
    patch: (inner, { clock }) => {
      let underWay = 0;
      return {
        async serveRpc(request) {
          if (underWay >= 2) return { status: 503, headers: [['content-type', 'text/plain']], body: 'Busy' };
          underWay++;
          await new Promise<void>((resolve) => void clock.after(100, resolve));
          try {
            return await inner.serveRpc(request);
          } finally {
            underWay--;
          }
        },
      };
    },
  }),
  variant('rate-limit-429', {
    about: 'From the 21st call in a minute on, a gateway answers 429 with Retry-After.',
    patch: limited((_, waitMs) => ({
      status: 429,
      headers: [
        ['content-type', 'text/plain'],
        ['retry-after', String(Math.ceil(waitMs / 1000))],
      ],
      body: 'Too many requests\n',
    })),
  }),
  variant('rate-limit-503', {
    about:
      'From the 21st call in a minute on, 503 with Retry-After and an error in another language (RFC 9110 §15.6.4).',
    patch: limited((id, waitMs) => ({
      status: 503,
      headers: [...jsonHeaders, ['retry-after', String(Math.ceil(waitMs / 1000))]],
      body: JSON.stringify({
        jsonrpc: '2.0',
        id,
        error: { code: -32000, message: 'Bitte gleich noch einmal versuchen' },
      }),
    })),
    // Where callers sign, the agent answers 429.
    profiles: allBut(...signers),
  }),
  variant('rate-limit-as-error', {
    about: 'From the 21st call in a minute on, HTTP 200 with the error -32000.',
    binding: 'jsonrpc',
    patch: limited((id) => ({
      status: 200,
      headers: jsonHeaders,
      body: JSON.stringify({
        jsonrpc: '2.0',
        id,
        error: { code: -32000, message: 'Rate limit exceeded: 20 requests per minute' },
      }),
    })),
    // Where callers sign, the agent counts each account separately.
    profiles: allBut(...signers),
  }),
];
