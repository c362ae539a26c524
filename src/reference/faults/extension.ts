import { isObject, member } from '../../model/index.js';
import { type Header, header } from '../../wire/index.js';
import { alice } from '../accounts.js';
import type { Incoming, Reply, RpcCall } from '../calls.js';
import { edited, onCard, onReply, onResult, set, without } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { type Fault, fault } from '../fault.js';
import { type Patch, together } from '../seams.js';

const on = 'extensions-declared';
const required = 'extensions-required';

const isName = (name: string): boolean => /^(x-)?a2a-extensions$/i.test(name);
const askedFor = ({ headers }: Incoming): readonly string[] =>
  headers.flatMap(([name, value]) => (isName(name) ? value.split(',').map((uri) => uri.trim()) : []));
const naming = (reply: Reply, change: (headers: readonly Header[]) => readonly Header[]): Reply => ({
  ...reply,
  headers: change(reply.headers),
});
const isStream = ({ headers }: Reply): boolean => header(headers, 'content-type') === 'text/event-stream';
/** Removes the extension header from these answers. */
const unnamedWhere = (holds: (reply: Reply) => boolean): Patch =>
  onReply('endpoint', (reply) =>
    holds(reply) ? naming(reply, (headers) => headers.filter(([name]) => !isName(name))) : reply,
  );
/** The URI without its version. */
const bare = (uri: string): string => uri.replace(/\/v?\d+$/, '');

/** Whether the call activates an extension that the card declares. */
const isActive = (inner: Parameters<Patch>[0], { request }: RpcCall): boolean => inner.activated(request).length > 0;

export const extensionFaults: readonly Fault[] = [
  fault('ext-not-echoed', {
    about: 'Answers do not name the active extension that messages must ask for.',
    breaks: ['ext.activation-echoed'],
    on: required,
    patch: unnamedWhere(() => true),
  }),
  fault('ext-not-echoed-in-metadata', {
    about: 'Answers do not say that an extension is active, and carry its metadata.',
    breaks: ['ext.activation-echoed'],
    on,
    patch: together(
      unnamedWhere(() => true),
      (inner, world, whole) =>
        onResult('send', (wire, _, call) => {
          const [uri] = inner.activated(call.request);
          if (uri === undefined) return wire;
          const tracing = (one: unknown): unknown => set(one, 'metadata', { [uri]: { span: 'a1' } });
          return isObject(wire) && isObject(wire['task']) ? edited(wire, 'task', tracing) : tracing(wire);
        })(inner, world, whole),
    ),
  }),
  fault('ext-named-on-streams-only', {
    about: 'Streams say which extensions are active, other answers do not.',
    breaks: ['ext.activation-echoed'],
    on: 'extensions-on-streams',
    patch: unnamedWhere((reply) => !isStream(reply)),
  }),
  fault('ext-echoed-as-flag', {
    about: 'Answers say that extensions are active, and not which.',
    breaks: ['ext.activation-echoed'],
    on,
    patch: onReply('endpoint', (reply) =>
      naming(reply, (headers) => headers.map(([name, value]) => [name, isName(name) ? 'true' : value])),
    ),
  }),
  fault('ext-not-echoed-on-streams', {
    about: 'Streams do not say which extensions are active.',
    breaks: ['ext.streams-too'],
    on: 'extensions-on-streams',
    patch: unnamedWhere(isStream),
  }),
  fault('ext-unknown-refused', {
    about: 'Who asks for an unknown extension is refused.',
    breaks: ['ext.unknown-ignored'],
    on,
    patch: (inner, _, whole) => ({
      demandExtensions(call, op) {
        const known = whole.card().capabilities.extensions.map(({ uri }) => uri);
        const unknown = askedFor(call.request).find((uri) => !known.includes(uri));
        if (unknown !== undefined) throw new RpcFailure('InvalidRequest', `unknown extension ${unknown}`);
        inner.demandExtensions(call, op);
      },
    }),
  }),
  fault('ext-header-mirrored', {
    about: 'Whatever is asked for is called active.',
    breaks: ['ext.unknown-ignored'],
    on,
    patch: () => ({ activated: askedFor }),
  }),
  fault('ext-falls-back', {
    about: 'A call for another version of the extension gets the version that the agent has.',
    breaks: ['ext.no-other-version'],
    on,
    patch: (_, __, whole) => ({
      activated(request) {
        const wanted = askedFor(request).map(bare);
        return whole
          .card()
          .capabilities.extensions.map(({ uri }) => uri)
          .filter((uri) => wanted.includes(bare(uri)));
      },
    }),
  }),
  fault('ext-always-on', {
    about: 'Extensions are active whether asked for or not.',
    breaks: ['ext.inactive-by-default'],
    on,
    patch: (_, __, whole) => ({ activated: () => whole.card().capabilities.extensions.map(({ uri }) => uri) }),
  }),
  fault('ext-metadata-always', {
    about: 'Tasks carry metadata of an extension that nobody asked for.',
    breaks: ['ext.inactive-by-default'],
    on,
    patch: (inner, _, whole) => ({
      create(message) {
        const task = inner.create(message);
        const [first] = whole.card().capabilities.extensions;
        return { ...task, metadata: { ...task.metadata, [`${first?.uri}/span`]: 'a1' } };
      },
    }),
  }),
  fault('ext-adds-a-state', {
    about: 'With an extension tasks have a state that there is not.',
    breaks: ['ext.core-unchanged'],
    on,
    patch: (inner, world, whole) =>
      onResult('send', (wire, _, call) => {
        if (!isActive(inner, call)) return wire;
        const tracing = (one: unknown): unknown => edited(one, 'status.state', () => 'tracing');
        return edited(tracing(wire), 'task', tracing);
      })(inner, world, whole),
  }),
  fault('ext-drops-the-id', {
    about: 'With an extension tasks have no id.',
    breaks: ['ext.core-unchanged'],
    on,
    patch: (inner, world, whole) =>
      onResult('send', (wire, _, call) => {
        if (!isActive(inner, call)) return wire;
        return edited(without(wire, 'id'), 'task', (task) => without(task, 'id'));
      })(inner, world, whole),
  }),
  fault('ext-required-ignored', {
    about: 'Messages are taken without the extension that the card requires.',
    breaks: ['ext.required-refused'],
    on: required,
    patch: () => ({ demandExtensions: () => {} }),
  }),
  fault('ext-required-of-new-tasks-only', {
    about: 'An answer to a task is taken without the extension that the card requires.',
    breaks: ['ext.required-refused'],
    on: required,
    patch: (inner) => ({
      demandExtensions(call, op) {
        if (member(member(call.params, 'message'), 'taskId') === undefined) inner.demandExtensions(call, op);
      },
    }),
  }),
  fault('ext-required-called-invalid', {
    about: 'A missing extension is called an invalid request.',
    breaks: ['ext.required-code'],
    on: required,
    patch: (inner) => ({
      demandExtensions(call, op) {
        try {
          inner.demandExtensions(call, op);
        } catch {
          throw new RpcFailure('InvalidRequest', 'an extension is missing');
        }
      },
    }),
  }),
  fault('ext-required-never-enough', {
    about: 'Messages are refused for want of an extension that they ask for.',
    breaks: ['ext.required-accepted'],
    on: required,
    patch: () => ({
      demandExtensions(_, op) {
        if (op === 'send') throw new RpcFailure('ExtensionSupportRequired');
      },
    }),
  }),
  fault('ext-required-one-of-two', {
    about: 'Extensions that the card calls optional are required as well.',
    breaks: ['ext.required-accepted'],
    on: required,
    patch: (inner, _, whole) => ({
      demandExtensions(call, op) {
        const { extensions } = whole.card().capabilities;
        if (op === 'send' && inner.activated(call.request).length < extensions.length) {
          throw new RpcFailure('ExtensionSupportRequired');
        }
        inner.demandExtensions(call, op);
      },
    }),
  }),
  fault('ext-required-version-ignored', {
    about: 'Any version of the required extension will do.',
    breaks: ['ext.required-version-refused'],
    on: required,
    patch: (inner, _, whole) => ({
      demandExtensions(call, op) {
        const wanted = askedFor(call.request).map(bare);
        const { extensions } = whole.card().capabilities;
        if (!extensions.some(({ uri, required: must }) => must && wanted.includes(bare(uri)))) {
          inner.demandExtensions(call, op);
        }
      },
    }),
  }),
  fault('ext-opens-the-agent', {
    about: 'Calls that ask for an extension need no credentials.',
    breaks: ['ext.methods-authenticated'],
    on: 'extensions-guarded',
    patch: (inner) => ({
      authenticate: async (request) => (inner.activated(request).length > 0 ? alice.name : inner.authenticate(request)),
    }),
  }),
  fault('ext-uri-without-version', {
    about: 'The URI of an extension names no version.',
    breaks: ['ext.uri-versioned'],
    on,
    patch: onCard((card) => set(card, 'capabilities.extensions', [{ uri: 'https://vendor.example/extensions/trace' }])),
  }),
];
