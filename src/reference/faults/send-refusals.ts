import { type ErrorName, isObject, type JsonObject, member } from '../../model/index.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { page, replying } from './rpc-replies.js';

/** Refuses valid params of a send for which `holds` is true. */
export const refusingSend =
  (holds: (params: JsonObject) => boolean, failure: ErrorName = 'InvalidParams'): Patch =>
  (inner) => ({
    problems(op, wire) {
      const found = inner.problems(op, wire);
      if (op !== 'send' || !isObject(wire) || !holds(wire)) return found;
      return [{ path: 'params', about: 'a seeded fault', failure }, ...found];
    },
  });

export const messageOf = (params: unknown): unknown => member(params, 'message');
export const partsOf = (params: unknown): readonly unknown[] => {
  const parts = member(messageOf(params), 'parts');
  return Array.isArray(parts) ? parts : [];
};
const has = (value: unknown, name: string): boolean => isObject(value) && Object.hasOwn(value, name);
/** The kind of a part: its tag or, since 1.0, the member that holds its content. */
const kindOf = (part: unknown): unknown =>
  member(part, 'kind') ?? member(part, 'type') ?? ['text', 'data'].find((name) => has(part, name)) ?? 'file';
const kinds = (params: unknown): ReadonlySet<unknown> => new Set(partsOf(params).map(kindOf));
/** Whether a part has such a file. Since 1.0 the content is in the part itself, under the name `flat`. */
const file = (name: string, flat: string) => (params: JsonObject) =>
  partsOf(params).some((part) => has(member(part, 'file'), name) || has(part, flat));

/** The data and metadata of a send: values of any shape. */
const heldIn = (params: JsonObject): readonly unknown[] =>
  [params, messageOf(params), ...partsOf(params)].flatMap((one) => [member(one, 'metadata'), member(one, 'data')]);
const holdsNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.values(value).some(holdsNull));

export const sendRefusalFaults = [
  fault('send-refuses-text', {
    about: 'A text part is invalid.',
    breaks: ['send.part-forms'],
    notOver: ['a2a-0.3-grpc'],
    patch: refusingSend((params) => kinds(params).has('text')),
  }),
  fault('send-refuses-file-bytes', {
    about: 'A file with bytes is invalid.',
    breaks: ['send.part-refusal-code'],
    notOver: ['a2a-0.3-grpc'],
    patch: refusingSend(file('bytes', 'raw')),
  }),
  fault('send-file-bytes-is-internal-error', {
    about: 'A file with bytes breaks the agent.',
    breaks: ['send.part-forms'],
    patch: refusingSend(file('bytes', 'raw'), 'InternalError'),
  }),
  fault('send-refuses-file-uri', {
    about: 'A file with a uri is invalid.',
    breaks: ['send.part-refusal-code'],
    notOver: ['a2a-0.3-grpc'],
    patch: refusingSend(file('uri', 'url')),
  }),
  fault('send-file-uri-is-no-json', {
    about: 'A file with a uri is taken for what is no JSON.',
    breaks: ['send.part-forms'],
    binding: 'jsonrpc',
    patch: refusingSend(file('uri', 'url'), 'ParseError'),
  }),
  fault('send-file-uri-page', {
    about: 'A file with a uri is answered with 502 and a page.',
    breaks: ['send.part-forms'],
    binding: 'grpc',
    patch: replying((_, sent) => /"(url|uri)":"http/.test(JSON.stringify(member(sent, 'params')) ?? ''), page(502)),
  }),
  fault('send-refuses-data', {
    about: 'A data part is invalid.',
    breaks: ['send.part-refusal-code'],
    notOver: ['a2a-0.3-grpc'],
    patch: refusingSend((params) => kinds(params).has('data')),
  }),
  fault('send-data-is-internal-error', {
    about: 'A data part breaks the agent.',
    breaks: ['send.part-forms', 'send.mixed-parts', 'send.part-refusal-code'],
    patch: refusingSend((params) => kinds(params).has('data'), 'InternalError'),
  }),
  fault('send-null-is-internal-error', {
    about: 'A null in data or metadata breaks the agent.',
    breaks: ['send.part-forms', 'send.metadata-accepted'],
    notOver: ['a2a-0.3-grpc'],
    patch: refusingSend((params) => heldIn(params).some(holdsNull), 'InternalError'),
  }),
  fault('send-null-is-invalid', {
    about: 'Data with null are invalid.',
    breaks: ['send.part-forms'],
    patch: refusingSend((params) => partsOf(params).some((part) => holdsNull(member(part, 'data')))),
  }),
  fault('send-takes-one-kind-only', {
    about: 'Parts of different kinds in one message are invalid.',
    breaks: ['send.part-refusal-code'],
    notOver: ['a2a-0.3-grpc'],
    patch: refusingSend((params) => kinds(params).size > 1),
  }),
  fault('send-refuses-params-metadata', {
    about: 'metadata beside the message is invalid.',
    breaks: ['send.metadata-accepted'],
    notOver: ['a2a-0.3-grpc'],
    patch: refusingSend((params) => has(params, 'metadata')),
  }),
  fault('send-refuses-message-metadata', {
    about: 'metadata in the message is invalid.',
    breaks: ['send.metadata-accepted'],
    notOver: ['a2a-0.3-grpc'],
    patch: refusingSend((params) => has(messageOf(params), 'metadata')),
  }),
  fault('send-refuses-part-metadata', {
    about: 'metadata in a part breaks the agent.',
    breaks: ['send.metadata-accepted'],
    notOver: ['a2a-0.3-grpc', 'a2a-0.3-rest'],
    patch: refusingSend((params) => partsOf(params).some((part) => has(part, 'metadata')), 'InternalError'),
  }),
  fault('send-refuses-references', {
    about: 'referenceTaskIds is an unknown member, and unknown members are invalid.',
    breaks: ['send.references-accepted', 'send.follow-up'],
    notOver: ['a2a-0.3-grpc', 'a2a-0.3-rest'],
    patch: refusingSend((params) => has(messageOf(params), 'referenceTaskIds')),
  }),
  fault('send-refuses-extensions', {
    about: 'A message that names extensions breaks the agent.',
    breaks: ['send.references-accepted'],
    patch: refusingSend((params) => has(messageOf(params), 'extensions'), 'InternalError'),
  }),
  fault('send-refuses-unknown-params', {
    about: 'Members of the params that the schema does not name are invalid.',
    breaks: ['data.unknown-members-accepted'],
    patch: refusingSend((params) =>
      Object.keys(params).some((name) => !['message', 'configuration', 'metadata'].includes(name)),
    ),
  }),
  fault('send-refuses-unknown-message-members', {
    about: 'An unknown member of the message breaks the agent.',
    breaks: ['data.unknown-members-accepted'],
    patch: refusingSend((params) => has(messageOf(params), 'tckUnknown'), 'InternalError'),
  }),
];
