import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { onXpr } from '../xpr/patches.js';
import { reading, valuesOf } from './xpr-reading.js';

/** Turns texts that are no account names into one. */
const made = (name: (text: string) => string | undefined): Patch =>
  reading('account', ([text, ...others]) => (text === undefined || others.length > 0 ? undefined : name(text)));

/** Verifies the signature over the text, but uses the account that the text resembles. */
const resembling = (name: (text: string) => string): Patch =>
  onXpr((inner) => ({
    claim: (request) => ({
      account: inner.header('account', request),
      timestamp: inner.header('timestamp', request),
      signature: inner.header('signature', request),
    }),
    permissions: (account) => inner.permissions(name(account)),
    gate: (account) => inner.gate(name(account)),
  }));

const withoutDots = (text: string): string => text.replace(/^\.+|\.+$/g, '');

/** Account names that are not valid on the chain, and are accepted. */
export const xprAccountsFaults: readonly Fault[] = [
  fault('xpr-account-any-case', {
    about: 'The account is looked up in any case.',
    breaks: ['xpr.account-forms'],
    patch: resembling((text) => text.toLowerCase()),
  }),
  fault('xpr-account-lowered', {
    about: 'The account is put into lower case before the signature is verified.',
    breaks: ['xpr.account-forms'],
    patch: made((text) => text.toLowerCase()),
  }),
  fault('xpr-account-dots-trimmed', {
    about: 'Dots around an account are dropped.',
    breaks: ['xpr.account-forms'],
    patch: made(withoutDots),
  }),
  fault('xpr-account-cut', {
    about: 'An account that is too long is cut.',
    breaks: ['xpr.account-forms'],
    patch: made((text) => (text.length > 12 ? withoutDots(text.slice(0, 12)) : undefined)),
  }),
  fault('xpr-account-spaces-dropped', {
    about: 'Spaces in an account are dropped.',
    breaks: ['xpr.account-forms'],
    patch: made((text) => text.replaceAll(' ', '')),
  }),
  fault('xpr-account-first-word', {
    about: 'What follows a space in an account is dropped.',
    breaks: ['xpr.account-forms'],
    patch: resembling((text) => text.split(' ')[0] ?? ''),
  }),
  fault('xpr-account-list-first', {
    about: 'An account header is a list, of which the first name counts.',
    breaks: ['xpr.account-forms'],
    patch: made((text) => text.split(',')[0]?.trim()),
  }),
  fault('xpr-account-list-last', {
    about: 'An account header is a list, of which the last name counts.',
    breaks: ['xpr.account-forms'],
    patch: made((text) => text.split(',').at(-1)?.trim()),
  }),
  fault('xpr-account-marks-dropped', {
    about: 'Letters of an account lose their marks.',
    breaks: ['xpr.account-forms'],
    patch: made((text) => text.normalize('NFKD').replace(/[\u0300-\u036f]/g, '')),
  }),
  fault('xpr-account-path-resolved', {
    about: 'The account is asked for in a path, and dots and slashes are resolved.',
    breaks: ['xpr.account-forms'],
    patch: resembling((text) => text.split('/').at(-1) ?? ''),
  }),
  fault('xpr-account-odd-crashes', {
    about: 'An account with a letter beyond ASCII is a server error.',
    breaks: ['xpr.account-forms'],
    patch: (inner) => ({
      serve: async (request) => {
        const isOdd = valuesOf('account', request).some((text) => /[^ -~]/.test(text));
        return isOdd
          ? { status: 500, headers: [['content-type', 'text/html']], body: '<h1>Error</h1>\n' }
          : inner.serve(request);
      },
    }),
  }),
];
