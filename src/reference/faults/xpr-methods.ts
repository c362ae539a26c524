import { header } from '../../wire/index.js';
import { headerNames } from '../../xpr/index.js';
import { type Fault, fault } from '../fault.js';
import { methodIn } from '../http.js';
import type { Patch } from '../seams.js';
import { onXpr } from '../xpr/patches.js';

/** Believes the account in the header of unsigned requests for one method. */
const unsigned =
  (method: string): Patch =>
  (inner) => ({
    authenticate: async (request) =>
      (methodIn(request) === method && header(request.headers, headerNames.signature) === undefined
        ? header(request.headers, headerNames.account)
        : undefined) ?? inner.authenticate(request),
  });

/** Accepts signatures by any key for one method. */
const anyKey =
  (method: string): Patch =>
  (inner, world, whole) => {
    let isLax = false;
    const keys = onXpr(({ authorises }) => ({ authorises: (key, all) => isLax || authorises(key, all) }));
    return {
      ...keys(inner, world, whole),
      authenticate(request) {
        isLax = methodIn(request) === method;
        return inner.authenticate(request);
      },
    };
  };

/** Detects replays only of requests for these methods. */
const remembering =
  (...methods: readonly string[]): Patch =>
  (inner, world, whole) => {
    let isKept = true;
    const store = onXpr(({ seen }) => ({ seen: (proof) => isKept && seen(proof) }));
    return {
      ...store(inner, world, whole),
      authenticate(request) {
        isKept = methods.includes(methodIn(request) ?? '');
        return inner.authenticate(request);
      },
    };
  };

/** Agents that authenticate callers for some methods only. */
export const xprMethodsFaults: readonly Fault[] = [
  fault('xpr-cancel-unsigned', {
    about: 'tasks/cancel is of the account in its header, signed or not.',
    breaks: ['xpr.headers-required'],
    patch: unsigned('tasks/cancel'),
  }),
  fault('xpr-send-unsigned', {
    about: 'message/send is of the account in its header, signed or not.',
    breaks: ['xpr.headers-required'],
    patch: unsigned('message/send'),
  }),
  fault('xpr-cancel-any-key', {
    about: 'tasks/cancel is signed with any key.',
    breaks: ['xpr.wrong-key'],
    patch: anyKey('tasks/cancel'),
  }),
  fault('xpr-send-any-key', {
    about: 'message/send is signed with any key.',
    breaks: ['xpr.wrong-key'],
    patch: anyKey('message/send'),
  }),
  fault('xpr-store-of-reads', {
    about: 'Only requests that read are remembered.',
    breaks: ['xpr.replay-same'],
    patch: remembering('tasks/get'),
  }),
  fault('xpr-store-of-sends', {
    about: 'tasks/cancel is not remembered.',
    breaks: ['xpr.replay-same'],
    patch: remembering('tasks/get', 'message/send'),
  }),
];
