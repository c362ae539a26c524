import { headerNames } from '../../xpr/index.js';
import type { Incoming, Reply } from '../calls.js';
import { type Fault, fault } from '../fault.js';
import { type Patch, together } from '../seams.js';
import { onXpr } from '../xpr/patches.js';
import { xprAccountsFaults } from './xpr-accounts.js';
import { reading, valuesOf } from './xpr-reading.js';

/** Reads a missing header as this text. */
const missing =
  (text: string) =>
  (values: readonly string[]): string | undefined =>
    values.length === 0 ? text : undefined;
const empty =
  (text: string) =>
  ([first]: readonly string[]): string | undefined =>
    first === '' ? text : undefined;

/** A timestamp that is no number passes the check of freshness. */
const unchecked = (read: Patch): Patch =>
  together(
    read,
    onXpr((inner) => ({
      seconds: (text) => Number.parseInt(text, 10),
      fresh: (seconds) => (Number.isNaN(seconds) ? undefined : inner.fresh(seconds)),
    })),
  );

/** Believes the account in the header of a request without a signature. */
const believed = (isUnsigned: (signatures: readonly string[]) => boolean): Patch =>
  onXpr((inner) => {
    const named = (request: Incoming): string | undefined => {
      const [account = ''] = valuesOf('account', request);
      return account !== '' && isUnsigned(valuesOf('signature', request)) ? account : undefined;
    };
    return {
      isAnonymous: (request) => named(request) !== undefined || inner.isAnonymous(request),
      anonymous: (request) => named(request) ?? inner.anonymous(request),
    };
  });

/** Reads only headers whose names are spelled like this. */
const spelled = (isKnown: (name: string) => boolean): Patch =>
  onXpr((inner) => ({
    header: (name, request) =>
      inner.header(name, { ...request, headers: request.headers.filter(([found]) => isKnown(found)) }),
  }));

const longHeader = ({ headers }: Incoming): boolean => headers.some(([, value]) => value.length > 8 * 1024);
const large =
  (reply: Reply): Patch =>
  (inner) => ({
    serve: async (request) => (longHeader(request) ? reply : inner.serve(request)),
  });

const someAccount = 'alice';

/** Headers that are missing, or have another form. */
export const xprHeadersFaults: readonly Fault[] = [
  fault('xpr-account-header-optional', {
    about: 'Without an account header the caller is the account that is usual.',
    breaks: ['xpr.headers-required'],
    patch: reading('account', missing(someAccount)),
  }),
  fault('xpr-timestamp-header-optional', {
    about: 'Without a timestamp header the time is now.',
    breaks: ['xpr.headers-required'],
    patch: (inner, world, whole) =>
      reading('timestamp', (values) =>
        values.length === 0 ? String(Math.floor(world.clock.now() / 1000)) : undefined,
      )(inner, world, whole),
  }),
  fault('xpr-timestamp-header-unchecked', {
    about:
      'A timestamp header that is missing is taken for the text "undefined", which is no number, and never too old.',
    breaks: ['xpr.headers-required'],
    patch: unchecked(reading('timestamp', missing('undefined'))),
  }),
  fault('xpr-signature-header-optional', {
    about: 'Whoever names an account and sends no signature is that account.',
    breaks: ['xpr.headers-required'],
    patch: believed((signatures) => signatures.length === 0),
  }),
  fault('xpr-empty-account-guessed', {
    about: 'With an empty account header the caller is the account that is usual.',
    breaks: ['xpr.empty-header'],
    patch: reading('account', empty(someAccount)),
  }),
  fault('xpr-empty-timestamp-unchecked', {
    about: 'An empty timestamp is no number, and never too old.',
    breaks: ['xpr.empty-header'],
    patch: unchecked(reading('timestamp', empty(''))),
  }),
  fault('xpr-empty-signature-taken', {
    about: 'Whoever names an account and sends an empty signature is that account.',
    breaks: ['xpr.empty-header'],
    patch: believed((signatures) => signatures.join() === '' && signatures.length > 0),
  }),
  fault('xpr-optional-empty-signature-believed', {
    about: 'Requests need not be signed, and one with an account and an empty signature is that account.',
    breaks: ['xpr.empty-header'],
    on: 'xpr-optional',
    patch: believed((signatures) => signatures.join() === '' && signatures.length > 0),
  }),
  fault('xpr-header-case-sensitive', {
    about: 'The names of the headers are known in one spelling only.',
    breaks: ['xpr.header-case'],
    patch: spelled((name) => Object.values<string>(headerNames).includes(name)),
  }),
  fault('xpr-header-capitals-unknown', {
    about: 'The names of the headers are not known in capital letters.',
    breaks: ['xpr.header-case'],
    patch: spelled((name) => name !== name.toUpperCase()),
  }),
  fault('xpr-account-first', {
    about: 'Of two account headers the first counts.',
    breaks: ['xpr.header-twice'],
    patch: reading('account', ([first, ...others]) => (others.length > 0 ? first : undefined)),
  }),
  fault('xpr-account-last', {
    about: 'Of two account headers the last counts.',
    breaks: ['xpr.header-twice'],
    patch: reading('account', (values) => values.slice(1).at(-1)),
  }),
  fault('xpr-signature-first', {
    about: 'Of two signature headers the first counts.',
    breaks: ['xpr.header-twice'],
    patch: reading('signature', ([first, ...others]) => (others.length > 0 ? first : undefined)),
  }),
  fault('xpr-signature-last', {
    about: 'Of two signature headers the last counts.',
    breaks: ['xpr.header-twice'],
    patch: reading('signature', (values) => values.slice(1).at(-1)),
  }),
  ...xprAccountsFaults,
  fault('xpr-large-header-hangs', {
    about: 'A request with a large header is never answered.',
    breaks: ['xpr.header-large'],
    patch: large({ status: 200, headers: [], body: '', fate: 'hang' }),
  }),
  fault('xpr-large-header-crashes', {
    about: 'A large header is a server error.',
    breaks: ['xpr.header-large'],
    patch: large({ status: 500, headers: [['content-type', 'text/plain']], body: 'Internal server error\n' }),
  }),
];
