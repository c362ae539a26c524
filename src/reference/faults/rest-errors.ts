import type { ProfileId } from '../../dialect/index.js';
import { isObject, type JsonObject, member } from '../../model/index.js';
import type { HttpReply } from '../calls.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';

const newer: readonly ProfileId[] = ['a2a-1.0-rest'];

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

export const restErrorsFaults = [
  fault('rest-errors-under-200', {
    about: 'Errors come with the status 200.',
    breaks: ['rest.error-status'],
    profiles: newer,
    patch: onRefusals((reply) => ({ ...reply, status: 200 })),
  }),
  fault('rest-details-untyped', {
    about: 'The objects in details do not name their type.',
    breaks: ['rest.details-typed'],
    profiles: newer,
    patch: onDetails(({ '@type': _, ...detail }) => [detail]),
  }),
  fault('rest-errors-without-bad-request', {
    about: 'Invalid params are refused without a BadRequest.',
    breaks: ['rest.bad-request'],
    profiles: newer,
    patch: onDetails((detail) => (String(detail['@type']).endsWith('BadRequest') ? [] : [detail])),
  }),
];
