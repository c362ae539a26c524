import type { ProfileId } from '../../dialect/index.js';
import { isObject, type JsonObject, member } from '../../model/index.js';
import type { HttpReply, Reply } from '../calls.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';

const profiles: readonly ProfileId[] = ['a2a-1.0-rest', 'a2a-0.3-rest'];
const newer: readonly ProfileId[] = ['a2a-1.0-rest'];
const older: readonly ProfileId[] = ['a2a-0.3-rest'];

const onRefusals =
  (edit: (reply: HttpReply) => HttpReply): Patch =>
  (inner) => ({ httpRefusal: (error) => edit(inner.httpRefusal(error)) });

/** The error object of each refusal. */
const onErrors = (edit: (error: JsonObject, status: number) => unknown): Patch =>
  onRefusals(({ status, value }) => {
    const error = member(value, 'error');
    if (isObject(error)) return { status, value: { error: edit(error, status) } };
    return { status, value: isObject(value) ? edit(value, status) : value };
  });

const onDetails = (edit: (detail: JsonObject) => readonly unknown[]): Patch =>
  onErrors((error) => {
    const { details } = error;
    return Array.isArray(details) ? { ...error, details: details.filter(isObject).flatMap(edit) } : error;
  });

const without = (name: string): Patch => onErrors(({ [name]: _, ...error }) => error);
const isInfo = (detail: JsonObject): boolean => String(detail['@type']).endsWith('ErrorInfo');
const onInfo = (edit: (info: JsonObject) => JsonObject): Patch =>
  onDetails((detail) => [isInfo(detail) ? edit(detail) : detail]);

/** The whole answer of each refusal. */
const onAnswers =
  (edit: (reply: Reply) => Reply): Patch =>
  (inner) => ({
    async serveHttp(request) {
      const reply = await inner.serveHttp(request);
      return reply.status >= 400 && typeof reply.body === 'string' ? edit(reply) : reply;
    },
  });
const asType = (type: string, { headers, ...reply }: Reply): Reply => ({
  ...reply,
  headers: [...headers.filter(([name]) => name !== 'content-type'), ['content-type', type]],
});

/** Codes of gRPC (googleapis, rpc/code.proto). */
const grpcCodes: Readonly<Record<number, number>> = { 400: 3, 404: 5, 409: 9, 500: 13 };

export const restErrorsFaults = [
  fault('rest-errors-bare', {
    about: 'The error object is the whole body, without the member error.',
    breaks: ['rest.error-object'],
    profiles: newer,
    patch: onRefusals(({ status, value }) => ({ status, value: member(value, 'error') })),
  }),
  fault('rest-errors-as-problems', {
    about: 'Errors are problem details (RFC 9457).',
    breaks: ['rest.error-object', 'rest.error-type'],
    profiles: newer,
    patch: (inner, world, whole) =>
      onAnswers((reply) =>
        asType('application/problem+json', {
          ...reply,
          body: whole.print({ type: 'about:blank', title: 'Refused', status: reply.status, detail: 'The task …' }),
        }),
      )(inner, world, whole),
  }),
  fault('rest-errors-as-pages', {
    about: 'Errors are pages.',
    breaks: ['rest.error-object', 'rest.one-error-format'],
    profiles,
    patch: onAnswers((reply) => asType('text/html', { ...reply, body: '<!doctype html><title>Error</title>' })),
  }),
  fault('rest-errors-as-text', {
    about: 'Errors come as text/plain.',
    breaks: ['rest.error-type'],
    profiles: newer,
    patch: onAnswers((reply) => asType('text/plain', reply)),
  }),
  fault('rest-errors-with-rpc-codes', {
    about: 'error.code is the code of JSON-RPC.',
    breaks: ['rest.error-code'],
    profiles: newer,
    patch: (inner) => ({
      httpRefusal(error) {
        const { status, value } = inner.httpRefusal(error);
        const told = member(value, 'error');
        return { status, value: { error: { ...(isObject(told) ? told : {}), code: error['code'] } } };
      },
    }),
  }),
  fault('rest-errors-with-grpc-codes', {
    about: 'error.code is the code of gRPC.',
    breaks: ['rest.error-code'],
    profiles: newer,
    patch: onErrors((error, status) => ({ ...error, code: grpcCodes[status] ?? 2 })),
  }),
  fault('rest-errors-without-code', {
    about: 'Errors have no code.',
    breaks: ['rest.error-code'],
    profiles: newer,
    patch: without('code'),
  }),
  fault('rest-errors-without-message', {
    about: 'Errors have no message.',
    breaks: ['rest.error-message'],
    profiles,
    patch: without('message'),
  }),
  fault('rest-errors-with-empty-message', {
    about: 'The message of errors is empty.',
    breaks: ['rest.error-message'],
    profiles,
    patch: onErrors((error) => ({ ...error, message: '' })),
  }),
  fault('rest-errors-without-status', {
    about: 'Errors do not name their status.',
    breaks: ['rest.status-name'],
    profiles: newer,
    patch: without('status'),
  }),
  fault('rest-errors-with-other-status', {
    about: 'error.status is the text of HTTP: "Not Found".',
    breaks: ['rest.status-name'],
    profiles: newer,
    patch: onErrors((error, status) => ({ ...error, status: status === 404 ? 'Not Found' : 'Bad Request' })),
  }),
  fault('rest-details-untyped', {
    about: 'The objects in details do not name their type.',
    breaks: ['rest.details-typed'],
    profiles: newer,
    patch: onDetails(({ '@type': _, ...detail }) => [detail]),
  }),
  fault('rest-details-as-object', {
    about: 'details is an object.',
    breaks: ['rest.details-typed'],
    profiles: newer,
    patch: onErrors((error) => ({ ...error, details: { hint: 'none' } })),
  }),
  fault('rest-errors-without-info', {
    about: 'Errors of A2A have no ErrorInfo.',
    breaks: ['rest.error-info'],
    profiles: newer,
    patch: onDetails((detail) => (isInfo(detail) ? [] : [detail])),
  }),
  fault('rest-info-without-reason', {
    about: 'The ErrorInfo has no reason.',
    breaks: ['rest.error-info'],
    profiles: newer,
    patch: onInfo(({ reason: _, ...info }) => info),
  }),
  fault('rest-reasons-with-suffix', {
    about: 'Reasons end with _ERROR.',
    breaks: ['rest.error-info'],
    profiles: newer,
    patch: onInfo((info) => ({ ...info, reason: `${info['reason']}_ERROR` })),
  }),
  fault('rest-info-of-other-domain', {
    about: "The ErrorInfo has the agent's own domain.",
    breaks: ['rest.error-info'],
    profiles: newer,
    patch: onInfo((info) => ({ ...info, domain: 'agent.example' })),
  }),
  fault('rest-info-with-numbers', {
    about: 'The metadata of the ErrorInfo hold a number.',
    breaks: ['rest.error-metadata'],
    profiles: newer,
    patch: onInfo((info) => ({ ...info, metadata: { attempts: 1 } })),
  }),
  fault('rest-errors-without-bad-request', {
    about: 'Invalid params are refused without a BadRequest.',
    breaks: ['rest.bad-request'],
    profiles: newer,
    patch: onDetails((detail) => (String(detail['@type']).endsWith('BadRequest') ? [] : [detail])),
  }),
  fault('rest-not-found-as-400', {
    about: 'An unknown task is refused with 400.',
    breaks: ['rest.status-table'],
    profiles: newer,
    patch: onRefusals((reply) => (reply.status === 404 ? { ...reply, status: 400 } : reply)),
  }),
  fault('rest-all-errors-conflict', {
    about: 'Every error has the status 409.',
    breaks: ['rest.status-table'],
    profiles: newer,
    patch: onRefusals((reply) => ({ ...reply, status: 409 })),
  }),
  fault('rest-errors-under-200', {
    about: 'Errors come with the status 200.',
    breaks: ['rest.error-status'],
    profiles: newer,
    patch: onRefusals((reply) => ({ ...reply, status: 200 })),
  }),
  fault('rest-no-allow', {
    about: 'A wrong verb is refused with 405, without Allow.',
    breaks: ['rest.allow'],
    profiles: newer,
    patch: onAnswers((reply) => ({ ...reply, headers: reply.headers.filter(([name]) => name !== 'allow') })),
  }),
  fault('rest-not-cancelable-is-gone', {
    about: 'A task that cannot be canceled is refused with 410.',
    breaks: ['rest.cancel-status'],
    profiles: older,
    patch: (inner) => ({
      httpRefusal(error) {
        const reply = inner.httpRefusal(error);
        return error['code'] === -32002 ? { ...reply, status: 410 } : reply;
      },
    }),
  }),
  fault('rest-two-error-forms', {
    about: 'An unknown task is refused in another form than everything else.',
    breaks: ['rest.one-error-format'],
    profiles: older,
    patch: onRefusals((reply) => (reply.status === 404 ? { ...reply, value: { detail: 'No such task' } } : reply)),
  }),
];
