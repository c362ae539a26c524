import type { ProfileId } from '../../../src/dialect/index.js';
import {
  type Incoming,
  onReply,
  type Patch,
  plainReply,
  type Reply,
  together,
  type Variant,
  variant,
} from '../../../src/reference/patching.js';
import { headerNames, isAccountName } from '../signing/index.js';
import { onXpr, setting } from './patches.js';

const profiles: readonly ProfileId[] = ['xpr', 'xpr-v2'];

/** The three headers, and which values each may have. */
const forms: readonly (readonly [name: string, isRight: (value: string) => boolean])[] = [
  [headerNames.account, isAccountName],
  [headerNames.timestamp, (value) => /^[0-9]{1,12}$/.test(value)],
  [headerNames.signature, (value) => value.startsWith('SIG_K1_')],
];
const isSigned = ({ headers }: Incoming): boolean =>
  forms.every(([name, isRight]) => {
    const [value, ...others] = headers.filter(([found]) => found.toLowerCase() === name.toLowerCase());
    return value !== undefined && others.length === 0 && isRight(value[1].trim());
  });

const aheadSeconds = 100;
const ahead: Patch = onXpr((inner) => ({ fresh: (seconds) => inner.fresh(seconds - aheadSeconds) }));
const withoutDate = ({ headers, ...reply }: Reply): Reply => ({
  ...reply,
  headers: headers.filter(([name]) => name !== 'date'),
});
const undated = onReply('any', withoutDate);
const dated: Patch = (inner, world, whole) =>
  onReply('any', (reply) => ({
    ...reply,
    headers: [...withoutDate(reply).headers, ['date', new Date(world.clock.now() + aheadSeconds * 1000).toUTCString()]],
  }))(inner, world, whole);

/** Agents that read headers and times in an unusual but conforming way. */
export const xprHeaderVariants: readonly Variant[] = [
  variant('xpr-optional-incomplete', {
    about: 'Requests without three headers that can be read count as unsigned, and those are taken (AMBX-07).',
    patch: together(
      setting({ mode: 'optional' }),
      onXpr(() => ({ isAnonymous: (request) => !isSigned(request) })),
    ),
    profiles,
  }),
  variant('xpr-clock-ahead', {
    about: 'The clock of the agent is ahead, and its answers say so.',
    patch: together(ahead, dated),
    profiles,
  }),
  variant('xpr-clock-untold', {
    about: 'The clock of the agent is ahead, and its answers do not say what time it is.',
    patch: together(ahead, undated),
    profiles,
  }),
  variant('xpr-timestamp-as-signed', {
    about: 'A timestamp may have a sign, a fraction and zeros in front, where it is signed with them.',
    patch: onXpr((inner) => ({
      seconds: (text) => inner.seconds(/^\+?0*([0-9]+)(\.[0-9]*)?$/.exec(text)?.[1] ?? text),
    })),
    profiles,
  }),
  variant('xpr-small-headers', {
    about: 'The HTTP server refuses headers that are large, or not ASCII, with a page of its own.',
    patch: (inner) => ({
      async serve(request) {
        const values = request.headers.map(([, value]) => value);
        if (values.some((value) => /[^\t -~]/.test(value))) return plainReply(400, 'Bad Request');
        if (values.join('').length > 8192) return plainReply(431, 'Request Header Fields Too Large');
        return inner.serve(request);
      },
    }),
    profiles,
  }),
];
