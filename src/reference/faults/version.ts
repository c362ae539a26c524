import { methodOf } from '../../dialect/index.js';
import { header } from '../../wire/index.js';
import type { Incoming, RpcCall } from '../calls.js';
import { mistaking, onError } from '../edits.js';
import { RpcFailure } from '../failure.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';

const asked = ({ headers }: Incoming): string => (header(headers, 'a2a-version') ?? '').trim();
/** Checks the version only of calls for which `when` holds; other calls count as having the right one. */
const negotiatingOnly =
  (when: (call: RpcCall) => boolean): Patch =>
  (inner) => ({
    negotiate(call) {
      if (when(call)) inner.negotiate(call);
    },
  });
const refusingVersion =
  (when: (call: RpcCall) => boolean): Patch =>
  (inner) => ({
    negotiate(call) {
      if (when(call)) throw new RpcFailure('VersionNotSupported', 'supported: 0.9');
      inner.negotiate(call);
    },
  });
const isOld = ({ headers, url }: Pick<Incoming, 'headers' | 'url'>): boolean =>
  ['', '0.3'].includes((header(headers, 'a2a-version') ?? '').trim()) && !url.includes('A2A-Version');

/** Faults of the header A2A-Version, and of what else names the version. */
export const versionFaults = [
  fault('ver-refuses-its-own', {
    about: 'Cancelings under the version of the card are refused.',
    breaks: ['ver.accepted'],
    patch: (inner, world, whole) =>
      refusingVersion(({ method }) => method === methodOf(world.dialect, 'cancel'))(inner, world, whole),
  }),
  fault('ver-header-not-read', {
    about: 'Nobody looks at the header A2A-Version.',
    breaks: ['ver.unsupported-refused', 'ver.missing-header', 'ver.malformed-refused'],
    patch: negotiatingOnly(() => false),
  }),
  fault('ver-header-not-read-without-tasks', {
    about: 'Nobody looks at the header A2A-Version, at an agent that answers with messages only.',
    breaks: ['ver.unsupported-refused', 'ver.missing-header', 'ver.malformed-refused'],
    on: 'message-only-in-two-versions',
    patch: negotiatingOnly(() => false),
  }),
  fault('ver-takes-later-versions', {
    about: 'Later versions are taken for the same.',
    breaks: ['ver.unsupported-refused'],
    patch: negotiatingOnly(({ request }) => !(Number.parseInt(asked(request), 10) > 1)),
  }),
  fault('ver-unread-on-sends', {
    about: 'The version is not checked when a message is sent.',
    breaks: ['ver.unsupported-refused'],
    patch: (inner, world, whole) =>
      negotiatingOnly(({ method }) => method !== methodOf(world.dialect, 'send'))(inner, world, whole),
  }),
  fault('ver-unread-on-streams', {
    about: 'The version is not checked when a message is streamed.',
    breaks: ['ver.unsupported-refused'],
    on: 'streaming',
    patch: (inner, world, whole) =>
      negotiatingOnly(({ method }) => method !== methodOf(world.dialect, 'stream'))(inner, world, whole),
  }),
  fault('ver-takes-the-version-before', {
    about: 'A call that says 0.3 is taken for one of 1.0.',
    breaks: ['ver.unsupported-refused'],
    patch: negotiatingOnly(({ request }) => asked(request) !== '0.3'),
  }),
  fault('ver-takes-malformed', {
    about: 'A version that is none is taken for the right one.',
    breaks: ['ver.malformed-refused'],
    patch: negotiatingOnly(({ request }) => /^\d|^$/.test(asked(request))),
  }),
  fault('ver-missing-means-newest', {
    about: 'A call without a version is taken for one of 1.0.',
    breaks: ['ver.missing-header'],
    patch: negotiatingOnly(({ request }) => asked(request) !== ''),
  }),
  fault('ver-unsupported-as-invalid-request', {
    about: 'A version that is not served is refused with -32600.',
    breaks: ['ver.unsupported-code'],
    patch: mistaking('VersionNotSupported', 'InvalidRequest'),
  }),
  fault('ver-unsupported-as-unsupported-operation', {
    about: 'A version that is not served is refused with -32004.',
    breaks: ['ver.unsupported-code'],
    patch: mistaking('VersionNotSupported', 'UnsupportedOperation'),
  }),
  fault('ver-refusal-names-none', {
    about: 'A refused client is not told which versions there are.',
    breaks: ['ver.names-supported'],
    patch: onError((error, failure) =>
      failure === 'VersionNotSupported' ? { code: error['code'], message: 'Not this version' } : error,
    ),
  }),
  fault('ver-patch-refused', {
    about: 'A version with a patch number is refused.',
    breaks: ['ver.patch-ignored'],
    patch: refusingVersion(({ request }) => /^\d+\.\d+\.\d+$/.test(asked(request))),
  }),
  fault('ver-parameter-breaks-calls', {
    about: 'Calls whose URL names the version fail.',
    breaks: ['ver.as-parameter'],
    patch: (inner) => ({
      negotiate(call) {
        if (asked(call.request) === '' && call.request.url.includes('A2A-Version'))
          throw new RpcFailure('InternalError', 'no such route');
        inner.negotiate(call);
      },
    }),
  }),
  fault('ver-old-interface-speaks-new', {
    about: 'The interface that is declared for 0.3 knows the methods of 1.0 only.',
    breaks: ['ver.old-interface'],
    on: 'two-versions',
    binding: 'jsonrpc',
    patch: (inner) => ({
      serveRpc(request) {
        if (!isOld(request)) return inner.serveRpc(request);
        const others = request.headers.filter(([name]) => name.toLowerCase() !== 'a2a-version');
        return inner.serveRpc({ ...request, headers: [...others, ['A2A-Version', '1.0']] });
      },
    }),
  }),
  fault('ver-old-interface-refuses', {
    about: 'The interface that is declared for 0.3 refuses that version.',
    breaks: ['ver.old-interface'],
    on: 'two-versions',
    binding: 'jsonrpc',
    patch: (inner) => ({
      serveRpc(request) {
        if (!isOld(request)) return inner.serveRpc(request);
        const others = request.headers.filter(([name]) => name.toLowerCase() !== 'a2a-version');
        return inner.serveRpc({ ...request, headers: [...others, ['A2A-Version', '0.9']] });
      },
    }),
  }),
];
