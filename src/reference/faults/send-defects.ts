import { isObject, member } from '../../model/index.js';
import { mistaking, onReply, overlooking } from '../edits.js';
import { fault } from '../fault.js';
import { peek, plainReply } from '../http.js';
import type { Patch } from '../seams.js';
import { messageOf, refusingSend } from './send-refusals.js';

const lacks = (value: unknown, name: string): boolean => isObject(value) && !Object.hasOwn(value, name);

/** Never answers messages for which `holds` is true. */
const hanging = (holds: (message: unknown) => boolean): Patch =>
  onReply('endpoint', (reply, request) =>
    holds(messageOf(member(peek(request), 'params'))) ? { ...reply, fate: 'hang' } : reply,
  );

/** Overlooks only that the member is missing; `overlooking` would hide all its defects. */
const overlookingMissing =
  (path: string): Patch =>
  (inner) => ({
    problems: (op, wire) =>
      inner.problems(op, wire).filter((one) => one.path !== path || !one.about.endsWith('is missing')),
  });

export const sendDefectFaults = [
  fault('send-accepts-missing-message', {
    about: 'Params without a message start a task.',
    breaks: ['send.message-required'],
    patch: overlooking('send', 'message'),
  }),
  fault('send-accepts-missing-parts', {
    about: 'A message without parts starts a task.',
    breaks: ['send.parts-required'],
    patch: overlooking('send', 'message.parts'),
  }),
  fault('send-shape-error-is-internal-error', {
    about: 'Params of the wrong shape are answered with -32603.',
    breaks: [
      'send.shape-code',
      'send.role-checked',
      'send.message-id-required',
      'send.message-id-missing',
      'send.part-kind-checked',
      'send.part-kind-required',
      'send.part-content-required',
      'send.part-two-contents',
    ],
    patch: mistaking('InvalidParams', 'InternalError', 'send'),
  }),
  fault('send-shape-error-is-web-page', {
    about: 'Params of the wrong shape are answered with HTTP 500 and a web page.',
    breaks: ['send.message-required', 'send.parts-required', 'send.empty-parts-refused'],
    patch: (inner, { dialect }) => ({
      async serveRpc(request) {
        const reply = await inner.serveRpc(request);
        const { body } = reply;
        const wrong = typeof body === 'string' && body.includes(`"code":${dialect.errors.InvalidParams?.rpc}`);
        return wrong ? plainReply(500, '<h1>Internal Server Error</h1>') : reply;
      },
    }),
  }),
  fault('send-empty-parts-is-internal-error', {
    about: 'A message with no part in parts breaks the agent.',
    breaks: ['send.empty-parts'],
    notOver: ['a2a-0.3-grpc'],
    patch: refusingSend((params) => {
      const parts = member(messageOf(params), 'parts');
      return Array.isArray(parts) && parts.length === 0;
    }, 'InternalError'),
  }),
  fault('send-empty-parts-hangs', {
    about: 'A message with no part in parts is never answered.',
    breaks: ['send.empty-parts'],
    notOver: ['a2a-0.3-grpc'],
    patch: hanging((message) => {
      const parts = member(message, 'parts');
      return Array.isArray(parts) && parts.length === 0;
    }),
  }),
  fault('send-accepts-any-role', {
    about: 'Any word will do for a role.',
    breaks: ['send.role-checked'],
    notOver: ['grpc'],
    patch: overlooking('send', 'message.role'),
  }),
  fault('send-role-defaults-to-user', {
    about: 'A message without a role is taken for one of the user.',
    breaks: ['send.role-checked'],
    patch: overlookingMissing('message.role'),
  }),
  fault('send-accepts-missing-message-id', {
    about: 'A message without a messageId starts a task.',
    breaks: ['send.message-id-required'],
    patch: overlooking('send', 'message.messageId'),
  }),
  fault('send-missing-kind-is-internal-error', {
    about: 'A message without kind breaks the agent.',
    breaks: ['send.kind-optional'],
    patch: refusingSend((params) => lacks(messageOf(params), 'kind'), 'InternalError'),
  }),
  fault('send-missing-kind-hangs', {
    about: 'A message without kind is never answered.',
    breaks: ['send.kind-optional'],
    patch: hanging((message) => lacks(message, 'kind')),
  }),
  fault('send-drops-unknown-parts', {
    about: 'A part of an unknown kind is left out, and the rest is worked on.',
    breaks: ['send.part-kind-checked', 'send.part-content-required'],
    notOver: ['grpc'],
    patch: overlooking('send', 'message.parts.kind'),
  }),
  fault('send-guesses-part-kind', {
    about: 'A part without kind is told by its members.',
    breaks: ['send.part-kind-required'],
    patch: (inner) => ({
      problems: (op, wire) =>
        inner.problems(op, wire).filter((one) => {
          const parts = member(messageOf(wire), 'parts');
          const guessed = Array.isArray(parts) && parts.every((part) => lacks(part, 'kind'));
          return one.path !== 'message.parts.kind' || !guessed;
        }),
    }),
  }),
  fault('send-unsupported-media-is-internal-error', {
    about: 'A file of an unsupported type breaks the agent.',
    breaks: ['send.unsupported-media'],
    patch: mistaking('ContentTypeNotSupported', 'InternalError'),
  }),
  fault('send-unsupported-media-is-invalid-params', {
    about: 'A file of an unsupported type is refused as if the params were broken.',
    breaks: ['send.unsupported-media'],
    notOver: ['a2a-0.3-grpc'],
    patch: mistaking('ContentTypeNotSupported', 'InvalidParams'),
  }),
];
