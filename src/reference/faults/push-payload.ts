import { isObject } from '../../model/index.js';
import { bodyText, type Header, type WireRequest } from '../../wire/index.js';
import { onNotification } from '../edits.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';

const on = 'push';
const nowhere = '00000000-0000-4000-8000-00000000ffff';

const withBody = (request: WireRequest, text: string): WireRequest => ({
  ...request,
  body: new TextEncoder().encode(text),
});
const onBody = (edit: (body: unknown) => unknown): Patch =>
  onNotification((request) => withBody(request, JSON.stringify(edit(JSON.parse(bodyText(request.body))))));
const onHeaders = (edit: (headers: readonly Header[]) => readonly Header[]): Patch =>
  onNotification((request) => ({ ...request, headers: edit(request.headers) }));
const without = (name: string) => (headers: readonly Header[]) =>
  headers.filter(([found]) => found.toLowerCase() !== name);

/** Replaces the id of the task everywhere in a notification. */
const renaming =
  (id: string): Patch =>
  (inner) => ({
    notification(event, task, config) {
      const request = inner.notification(event, task, config);
      return request && withBody(request, bodyText(request.body).replaceAll(task.id, id));
    },
  });

/** The value of the only member of a StreamResponse. */
const inside = (body: unknown): unknown => (isObject(body) ? Object.values(body)[0] : body);

export const pushPayloadFaults = [
  fault('push-sent-as-text', {
    about: 'Notifications are sent as text/plain.',
    breaks: ['push.json'],
    on,
    patch: onHeaders((headers) => [...without('content-type')(headers), ['content-type', 'text/plain']]),
  }),
  fault('push-body-is-no-json', {
    about: 'Notifications are a form.',
    breaks: ['push.json', 'push.names-task'],
    on,
    patch: onNotification((request) => withBody(request, 'event=update&state=completed')),
  }),
  fault('push-task-unnamed', {
    about: 'Notifications do not say which task they are about.',
    breaks: ['push.names-task'],
    on,
    patch: renaming(''),
  }),
  fault('push-names-another-task', {
    about: 'Notifications name another task.',
    breaks: ['push.names-task'],
    on,
    patch: renaming(nowhere),
  }),
  fault('push-state-unnamed', {
    about: 'Notifications do not say what has happened.',
    breaks: ['push.names-state'],
    on,
    patch: onBody((body) => {
      const { status: _, ...rest } = body as { readonly status?: unknown };
      return rest;
    }),
  }),
  fault('push-body-is-bare', {
    about: 'Notifications are the event itself, without the member that names its kind.',
    breaks: ['push.stream-response'],
    on,
    patch: onBody(inside),
  }),
  fault('push-body-holds-two', {
    about: 'Notifications hold an update and a task.',
    breaks: ['push.stream-response'],
    on,
    patch: onBody((body) => (isObject(body) ? { ...body, task: inside(body) } : body)),
  }),
  fault('push-states-in-old-words', {
    about: 'Notifications spell the state of the task as 0.3 does.',
    breaks: ['push.stream-response'],
    on,
    profiles: ['a2a-1.0'],
    patch: onNotification((request) =>
      withBody(
        request,
        bodyText(request.body).replaceAll(/"TASK_STATE_(\w+)"/g, (_, word: string) =>
          JSON.stringify(word.toLowerCase().replaceAll('_', '-')),
        ),
      ),
    ),
  }),
  fault('push-sent-by-put', {
    about: 'Notifications are sent by PUT.',
    breaks: ['push.stream-response'],
    on,
    patch: onNotification((request) => ({ ...request, method: 'PUT' })),
  }),
  fault('push-sent-in-envelope', {
    about: 'Notifications are JSON-RPC requests.',
    breaks: ['push.no-envelope', 'push.stream-response'],
    on,
    patch: onBody((params) => ({ jsonrpc: '2.0', method: 'notify', params })),
  }),
  fault('push-token-unsent', {
    about: 'The token of a webhook is not sent.',
    breaks: ['push.token-sent'],
    on,
    patch: onHeaders(without('x-a2a-notification-token')),
  }),
  fault('push-credentials-unsent', {
    about: 'The credentials of a webhook are not sent.',
    breaks: ['push.credentials-sent', 'push.basic-credentials-sent'],
    on,
    patch: onHeaders(without('authorization')),
  }),
  fault('push-credentials-without-scheme', {
    about: 'The credentials of a webhook are sent without their scheme.',
    breaks: ['push.credentials-sent'],
    on,
    patch: onHeaders((headers) =>
      headers.map(([name, value]) => (name === 'authorization' ? [name, value.replace(/^\S+\s+/, '')] : [name, value])),
    ),
  }),
  fault('push-credentials-always-bearer', {
    about: 'The credentials of a webhook are sent as Bearer, whatever scheme they are of.',
    breaks: ['push.basic-credentials-sent'],
    on,
    patch: onHeaders((headers) =>
      headers.map(([name, value]) => [name, name === 'authorization' ? value.replace(/^\S+/, 'Bearer') : value]),
    ),
  }),
];
