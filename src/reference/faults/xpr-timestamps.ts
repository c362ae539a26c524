import { type Fault, fault } from '../fault.js';
import { type Patch, together } from '../seams.js';
import { denied } from '../xpr/denied.js';
import { onXpr, setting } from '../xpr/patches.js';
import { reading } from './xpr-reading.js';

/** Reads a timestamp as another text, over which the signature is verified; undefined: as usual. */
const read = (as: (text: string) => string | undefined): Patch =>
  reading('timestamp', ([text, ...others]) => (text === undefined || others.length > 0 ? undefined : as(text)));

/** Verifies the signature over the text as it came, and reads only its number in another way. */
const counted = (seconds: (text: string) => number): Patch =>
  onXpr(() => ({
    seconds(text) {
      const number = seconds(text);
      if (Number.isNaN(number)) throw denied('that is no time');
      return number;
    },
  }));

/** A timestamp that is no number passes the check of freshness. */
const openForWords: Patch = onXpr((inner) => ({
  seconds: (text) => Number.parseInt(text, 10),
  fresh: (seconds) => (Number.isNaN(seconds) ? undefined : inner.fresh(seconds)),
}));

const asciiDigits = (text: string): string => Buffer.from(text, 'latin1').toString('utf8').normalize('NFKC');

/** Faults about how timestamps are read, and when a request is fresh. */
export const xprTimestampsFaults: readonly Fault[] = [
  fault('xpr-timestamp-first', {
    about: 'Of two timestamps the first counts.',
    breaks: ['xpr.timestamp-twice'],
    patch: reading('timestamp', ([first, ...others]) => (others.length > 0 ? first : undefined)),
  }),
  fault('xpr-timestamp-last', {
    about: 'Of two timestamps the last counts.',
    breaks: ['xpr.timestamp-twice'],
    patch: reading('timestamp', (values) => values.slice(1).at(-1)),
  }),
  fault('xpr-timestamp-two-meanings', {
    about: 'Of two timestamps the first must be near, and the last is signed.',
    breaks: ['xpr.timestamp-twice'],
    patch: together(
      reading('timestamp', (values) => (values.length > 1 ? values.join(', ') : undefined)),
      onXpr((inner) => ({
        seconds: (text) => inner.seconds(text.split(', ')[0] ?? ''),
        hash: (claim, body) => inner.hash({ ...claim, timestamp: claim.timestamp.split(', ').at(-1) ?? '' }, body),
      })),
    ),
  }),
  fault('xpr-timestamps-joined', {
    about: 'Two timestamps are one text, which begins with a number.',
    breaks: ['xpr.timestamp-twice'],
    patch: together(
      reading('timestamp', (values) => (values.length > 1 ? values.join(', ') : undefined)),
      onXpr((inner) => ({ seconds: (text) => inner.seconds(text.split(', ')[0] ?? '') })),
    ),
  }),
  fault('xpr-window-ten-minutes', {
    about: 'Timestamps may be ten minutes away.',
    breaks: ['xpr.timestamp-window'],
    on: 'xpr-clock-ahead',
    patch: setting({ windowSeconds: 600, aheadSeconds: 600 }),
  }),
  fault('xpr-past-unlimited', {
    about: 'No timestamp is too old.',
    breaks: ['xpr.timestamp-window'],
    patch: setting({ windowSeconds: Number.POSITIVE_INFINITY }),
  }),
  fault('xpr-future-unlimited', {
    about: 'No timestamp is too far ahead.',
    breaks: ['xpr.timestamp-window'],
    patch: setting({ aheadSeconds: Number.POSITIVE_INFINITY }),
  }),
  fault('xpr-time-ignored', {
    about: 'The timestamp is signed, and not looked at.',
    breaks: ['xpr.timestamp-window'],
    patch: onXpr(() => ({ fresh: () => undefined })),
  }),
  fault('xpr-time-zero-unlimited', {
    about: 'The timestamp 0 is taken for none, and none is never too old.',
    breaks: ['xpr.timestamp-window'],
    patch: onXpr((inner) => ({ fresh: (seconds) => (seconds === 0 ? undefined : inner.fresh(seconds)) })),
  }),
  fault('xpr-time-sign-dropped', {
    about: 'A minus before the timestamp is dropped.',
    breaks: ['xpr.timestamp-window'],
    patch: onXpr((inner) => ({ seconds: (text) => inner.seconds(text.replace(/^-/, '')) })),
  }),
  fault('xpr-window-narrow', {
    about: 'Timestamps may be one minute old.',
    breaks: ['xpr.timestamp-inside'],
    on: 'xpr-clock-ahead',
    patch: setting({ windowSeconds: 60 }),
  }),
  fault('xpr-ahead-refused', {
    about: 'Timestamps may be one minute ahead.',
    breaks: ['xpr.timestamp-inside'],
    on: 'xpr-clock-ahead',
    patch: setting({ aheadSeconds: 60 }),
  }),
  fault('xpr-milliseconds-too', {
    about: 'Milliseconds are taken as well as seconds.',
    breaks: ['xpr.timestamp-milliseconds'],
    patch: onXpr((inner) => ({
      seconds: (text) => inner.seconds(/^[0-9]{13}$/.test(text) ? text.slice(0, 10) : text),
    })),
  }),
  fault('xpr-milliseconds-rounded', {
    about: 'Milliseconds are taken for the seconds that they are before the signature is verified.',
    breaks: ['xpr.timestamp-milliseconds'],
    patch: read((text) => (/^[0-9]{13}$/.test(text) ? text.slice(0, 10) : undefined)),
  }),
  fault('xpr-timestamp-words', {
    about: 'A timestamp that is no number is never too old.',
    breaks: ['xpr.timestamp-grammar'],
    patch: openForWords,
  }),
  fault('xpr-timestamp-words-signed', {
    about: 'A timestamp that is no number is never too old, and signed as NaN.',
    breaks: ['xpr.timestamp-grammar'],
    patch: together(
      openForWords,
      onXpr((inner) => ({
        claim: (request) => {
          const claim = inner.claim(request);
          return { ...claim, timestamp: String(Number(claim.timestamp)) };
        },
      })),
    ),
  }),
  fault('xpr-timestamp-hexadecimal', {
    about: 'A timestamp may be hexadecimal.',
    breaks: ['xpr.timestamp-grammar'],
    patch: counted(Number),
  }),
  fault('xpr-timestamp-dates', {
    about: 'A timestamp may be a date.',
    breaks: ['xpr.timestamp-grammar'],
    patch: counted((text) => (/^\d+$/.test(text) ? Number(text) : Date.parse(text) / 1000)),
  }),
  fault('xpr-timestamp-other-digits', {
    about: 'A timestamp may have full-width digits.',
    breaks: ['xpr.timestamp-grammar'],
    patch: read(asciiDigits),
  }),
  fault('xpr-timestamp-parsed', {
    about: 'The number with which a timestamp begins is the timestamp.',
    breaks: ['xpr.timestamp-prefix'],
    patch: read((text) => String(Number.parseInt(text, 10))),
  }),
  fault('xpr-timestamp-tail-ignored', {
    about: 'Text after the number in a timestamp is signed, but ignored.',
    breaks: ['xpr.timestamp-prefix'],
    patch: counted((text) => Number.parseInt(text, 10)),
  }),
  fault('xpr-timestamp-fraction-dropped', {
    about: 'The fraction of a timestamp is dropped before the signature is verified.',
    breaks: ['xpr.timestamp-prefix'],
    patch: read((text) => text.replace(/\.[0-9]*$/, '')),
  }),
  fault('xpr-timestamp-sign-dropped', {
    about: 'A plus before a timestamp is dropped before the signature is verified.',
    breaks: ['xpr.timestamp-prefix'],
    patch: read((text) => text.replace(/^\+/, '')),
  }),
  fault('xpr-timestamp-zeros-dropped', {
    about: 'Zeros before a timestamp are dropped before the signature is verified.',
    breaks: ['xpr.timestamp-prefix'],
    patch: read((text) => text.replace(/^0+(?=[0-9])/, '')),
  }),
];
