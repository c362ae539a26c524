import { methodOf } from '../../dialect/index.js';
import { isObject, member, stringMember, type TaskPushConfig } from '../../model/index.js';
import { onReply, onResult, set } from '../edits.js';
import { fault } from '../fault.js';
import { peek, plainReply } from '../http.js';
import { executing, refusingPush, resulting } from '../pushing.js';
import { together } from '../seams.js';

const on = 'push';
const nowhere = '00000000-0000-4000-8000-00000000ffff';
const isThere = (
  store: { configs(taskId: string): readonly { readonly id?: string }[] },
  taskId: string,
  id: unknown,
) => store.configs(taskId).some((one) => one.id === id);

/** The list in pages of the size that is asked for; `next` gives the token of what follows, and undefined: nothing. */
const inPages = (next: (from: number, size: number, count: number) => number | undefined) =>
  onResult('pushList', (wire, _, { params }) => {
    const configs = member(wire, 'configs');
    const size = Number(member(params, 'pageSize') ?? 0);
    if (!Array.isArray(configs) || size < 1) return wire;
    const from = Number(member(params, 'pageToken') ?? 0);
    const then = next(from, size, configs.length);
    const page = set(wire, 'configs', configs.slice(from, from + size));
    return set(page, 'nextPageToken', then === undefined || then >= configs.length ? '' : `${then}`);
  });

export const pushListFaults = [
  fault('push-list-is-one-config', {
    about: 'The list is the first config itself.',
    breaks: ['push.list'],
    on,
    patch: onResult('pushList', (wire) => {
      if (Array.isArray(wire)) return wire[0] ?? {};
      const configs = member(wire, 'configs');
      return Array.isArray(configs) ? set(wire, 'configs', configs[0]) : wire;
    }),
  }),
  fault('push-list-of-another-task', {
    about: 'Listed configs name another task.',
    breaks: ['push.list'],
    on,
    patch: resulting('pushList', (found) => found.map((one) => ({ ...one, taskId: nowhere }))),
  }),
  fault('push-list-is-empty', {
    about: 'The list is always empty.',
    breaks: ['push.list', 'push.several-configs', 'send.inline-push'],
    on,
    patch: resulting('pushList', () => []),
  }),
  fault('push-list-not-implemented', {
    about: 'There is no method to list configs.',
    breaks: ['push.list'],
    on,
    profiles: ['a2a-1.0'],
    patch: refusingPush('pushList', 'MethodNotFound'),
  }),
  fault('push-one-config-only', {
    about: 'A new config takes the place of all others of its task.',
    breaks: ['push.several-configs'],
    on,
    patch: executing('pushSet', ({ params: { taskId } }, usual, { store }) => {
      for (const { id } of store.configs(taskId)) store.removeConfig(taskId, id ?? '');
      return usual();
    }),
  }),
  fault('push-list-empty-is-error', {
    about: 'Listing the configs of a task that has none is answered with an error.',
    breaks: ['push.list-empty'],
    on,
    patch: refusingPush('pushList', 'TaskNotFound', ({ op, params }, { store }) =>
      op === 'pushList' ? store.configs(params.taskId).length === 0 : false,
    ),
  }),
  fault('push-list-never-ends', {
    about: 'Each page of the list names a next one.',
    breaks: ['push.list-paged'],
    notOver: ['a2a-0.3-grpc'],
    on,
    patch: onResult('pushList', (wire) => (isObject(wire) ? { ...wire, nextPageToken: 'again' } : wire)),
  }),
  fault('push-list-refuses-page-size', {
    about: 'A list with a page size is an internal error.',
    breaks: ['push.list-paged'],
    on,
    patch: (inner) => ({
      problems: (op, wire) =>
        op === 'pushList' && member(wire, 'pageSize') !== undefined
          ? [{ path: 'pageSize', about: 'no pages', failure: 'InternalError' }]
          : inner.problems(op, wire),
    }),
  }),
  fault('push-list-stops-after-a-page', {
    about: 'The first page of the list names no next one, though configs are left.',
    breaks: ['push.pages'],
    on,
    patch: inPages(() => undefined),
  }),
  fault('push-list-skips-configs', {
    about: 'The pages of the list end one config too early.',
    breaks: ['push.pages'],
    on,
    patch: inPages((from, size, count) => (from + size >= count - 1 ? undefined : from + size)),
  }),
  fault('push-delete-answers-object', {
    about: 'Deleting a config is answered with an object in place of null.',
    breaks: ['push.delete-null'],
    on,
    patch: onResult('pushDelete', () => ({ deleted: true })),
  }),
  fault('push-delete-answers-no-result', {
    about: 'Deleting a config is answered with neither a result nor an error.',
    breaks: ['rpc.result-xor-error'],
    on,
    binding: 'jsonrpc',
    patch: (inner, { dialect }) => ({
      envelope(response, call) {
        const made = inner.envelope(response, call);
        if (call?.method !== methodOf(dialect, 'pushDelete') || !isObject(made)) return made;
        const { result: _, ...rest } = made;
        return rest;
      },
    }),
  }),
  fault('push-delete-refused', {
    about: 'No config can be deleted.',
    breaks: ['push.delete-null', 'push.delete-result', 'push.deleted-gone'],
    on,
    patch: refusingPush('pushDelete', 'InternalError'),
  }),
  fault('push-delete-keeps', {
    about: 'Deleting a config does nothing.',
    breaks: ['push.deleted-gone', 'push.deleted-silent'],
    on,
    patch: executing('pushDelete', () => ({ op: 'pushDelete', result: null })),
  }),
  fault('push-delete-only-unlists', {
    about: 'A deleted config is listed no more, and can be read all the same.',
    breaks: ['push.deleted-gone'],
    on,
    patch: (inner, world, whole) => {
      const gone = new Set<string | undefined>();
      const deleting = executing('pushDelete', ({ params }) => {
        gone.add(params.configId);
        return { op: 'pushDelete', result: null };
      });
      const listing = resulting('pushList', (found) => found.filter(({ config }) => !gone.has(config.id)));
      return together(deleting, listing)(inner, world, whole);
    },
  }),
  fault('push-delete-keeps-listed', {
    about: 'A deleted config cannot be read, and is listed all the same.',
    breaks: ['push.deleted-gone'],
    on,
    patch: (inner, world, whole) => {
      const gone: TaskPushConfig[] = [];
      const deleting = executing('pushDelete', ({ params: { taskId, configId } }, usual, { store }) => {
        gone.push(...store.configs(taskId).flatMap((config) => (config.id === configId ? [{ taskId, config }] : [])));
        return usual();
      });
      const listing = resulting('pushList', (found, { params }) => [
        ...found,
        ...gone.filter(({ taskId }) => taskId === params.taskId),
      ]);
      return together(deleting, listing)(inner, world, whole);
    },
  }),
  fault('push-delete-again-refused', {
    about: 'Deleting a config again is answered with an internal error.',
    breaks: ['push.delete-again'],
    on,
    patch: refusingPush('pushDelete', 'InternalError', ({ op, params }, { store }) =>
      op === 'pushDelete' ? !isThere(store, params.taskId, params.configId) : false,
    ),
  }),
  fault('push-delete-again-crashes', {
    about: 'Deleting a config again is answered with HTTP 500 and no JSON.',
    breaks: ['push.delete-again', 'push.delete-unknown'],
    on,
    patch: (inner, world, whole) => {
      const seen = new Set<string>();
      return onReply('endpoint', (reply, request) => {
        const asked = peek(request);
        if (stringMember(asked, 'method') !== world.dialect.operations.pushDelete?.rpc) return reply;
        const params = JSON.stringify(member(asked, 'params'));
        if (seen.has(params)) return plainReply(500, 'Internal Server Error');
        seen.add(params);
        return reply;
      })(inner, world, whole);
    },
  }),
];
