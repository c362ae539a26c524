import type { Tamper } from '../../../src/client/index.js';
import {
  countOf,
  open,
  textOf,
  type Value,
  type WireMutation,
  type WireMutationKind,
  type WireMutationTools,
} from '../../../src/fuzz/extending.js';
import type { Header, WireRequest } from '../../../src/wire/index.js';
import { headerNames } from '../signing/index.js';
import { bodyChanges, changedBody } from './bodies.js';
import { carriable, filledIn, formsIn, formsOf, type SignedName, several, signedNames, spelledNames } from './forms.js';
import { type ByteChange, numbers, withBytes } from './signature-bytes.js';

// Wire mutations with requests that the caller signs: they change the headers, the text and the bytes of the signature, and the
// body after signing. XPR document, Request Signing and Request Verification.

const isNamed =
  (name: string) =>
  ([found]: Header): boolean =>
    found.toLowerCase() === name.toLowerCase();

const dueIn = ({ headers }: WireRequest, name: SignedName): string =>
  headers.find(isNamed(headerNames[name]))?.[1] ?? '';

/** The request with its headers of this name replaced. */
function withHeaders(request: WireRequest, name: string, values: readonly string[], spelled = name): WireRequest {
  const made = values.map((value): Header => [spelled, carriable(value)]);
  return { ...request, headers: [...request.headers.filter((header) => !isNamed(name)(header)), ...made] };
}

const resigned =
  (change: (text: string) => string): Tamper =>
  (request) =>
    withHeaders(request, headerNames.signature, [change(dueIn(request, 'signature'))]);

const nameOf = (trick: WireMutation): SignedName =>
  signedNames.find((name) => name === textOf(trick, 'header')) ?? 'signature';

function headerMade({ randomSource, maxBytes }: WireMutationTools): Readonly<Record<string, Value>> {
  const header = randomSource.pick(signedNames);
  const signed = header !== 'signature' && randomSource.chance(0.5);
  const roll = randomSource.below(100);
  if (roll < 70) return { header, values: [randomSource.pick(formsOf[header])], signed };
  if (roll < 88) return { header, values: randomSource.pick(several), signed };
  if (roll < 94) return { header, values: ['{}'], spelling: randomSource.below(spelledNames.length) };
  return { header, values: ['{}'], fill: randomSource.pick([20, 500, Math.min(7000, maxBytes), 16_000]) };
}

/** Replaces, adds or removes characters; the digits of base58 begin after seven characters. */
function textMade({ randomSource }: WireMutationTools): Readonly<Record<string, Value>> {
  const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
  const digit = (): string => digits.charAt(randomSource.below(digits.length));
  const at = 7 + randomSource.below(90);
  switch (randomSource.below(7)) {
    case 0:
      return { at, cut: 1, insert: digit() };
    case 1:
      return { at, cut: 0, insert: digit() };
    case 2:
      return { at, cut: 1 + randomSource.below(3), insert: '' };
    case 3:
      return { at: 7, cut: 0, insert: '1'.repeat(1 + randomSource.below(5)) };
    case 4:
      return { at, cut: 1, insert: randomSource.pick(['0', 'O', 'I', 'l', ' ', '-', '_', '\u00e9', '+', '=']) };
    case 5:
      return {
        at: 0,
        cut: 7,
        insert: randomSource.pick(['SIG_R1_', 'SIG_WA_', 'sig_k1_', 'SIG_K1', 'SIG_K2_', 'EOS', '']),
      };
    default:
      return { at: 200, cut: 0, insert: digit().repeat(1 + randomSource.below(200)) };
  }
}

const headers = [0, 1, 4, 26, 27, 28, 30, 33, 34, 35, 36, 63, 127, 128, 159, 160, 254, 255];

function bytesMade({ randomSource }: WireMutationTools): Readonly<Record<string, Value>> {
  const names = Object.keys(numbers);
  switch (randomSource.below(7)) {
    case 6:
      return randomSource.chance(0.7) ? { s: 'negative', parity: true } : { parity: true };
    case 0:
      return { first: randomSource.pick(headers) };
    case 1:
      return { r: randomSource.pick(names) };
    case 2:
      return { s: randomSource.pick(names) };
    case 3:
      return { bit: randomSource.below(512) };
    case 4:
      return { length: randomSource.pick([0, 1, 32, 64, 66, 130, 500]) };
    default:
      return randomSource.chance(0.5)
        ? { swap: true }
        : { r: randomSource.pick(names), s: randomSource.pick(names), first: randomSource.pick(headers) };
  }
}

function changeOf(trick: WireMutation): ByteChange {
  const count = (name: string, most: number) => {
    const found = countOf(trick, name, -1, most);
    return found < 0 ? undefined : found;
  };
  const [header, bit, length] = [count('first', 255), count('bit', 511), count('length', 1000)];
  const [r, s] = [textOf(trick, 'r'), textOf(trick, 's')];
  return {
    ...(header === undefined ? {} : { header }),
    ...(bit === undefined ? {} : { bit }),
    ...(length === undefined ? {} : { length }),
    ...(r === '' ? {} : { r }),
    ...(s === '' ? {} : { s }),
    swap: trick['swap'] === true,
    parity: trick['parity'] === true,
  };
}

export const signedMutations = {
  /** Values of one of the three headers; the signature is for them, or for the right value. */
  'signed-header': {
    demand: open,
    share: 60,
    make: headerMade,
    signed: (trick) => (request, sign) => {
      const header = nameOf(trick);
      const name = headerNames[header];
      const fill = 'a'.repeat(countOf(trick, 'fill', 0, 100_000));
      const values = formsIn(trick['values']).map((form) => filledIn(form, dueIn(request, header)) + fill);
      const spelled = spelledNames[countOf(trick, 'spelling', 99)]?.(name) ?? name;
      const [text] = values;
      const isSigned = trick['signed'] === true && header !== 'signature' && text !== undefined;
      const whole = isSigned
        ? withHeaders(
            request,
            headerNames.signature,
            sign({ [header]: text })
              .filter(isNamed(headerNames.signature))
              .map(([, value]) => value),
          )
        : request;
      return withHeaders(whole, name, values, spelled);
    },
  },
  'signature-text': {
    demand: open,
    share: 14,
    make: textMade,
    signed: (trick) =>
      resigned((text) => {
        const at = Math.min(countOf(trick, 'at', 7, 1000), text.length);
        return text.slice(0, at) + textOf(trick, 'insert').slice(0, 1000) + text.slice(at + countOf(trick, 'cut', 0));
      }),
  },
  'signature-bytes': {
    demand: open,
    share: 24,
    make: bytesMade,
    signed: (trick) => resigned((text) => withBytes(text, changeOf(trick))),
  },
  /** Another body than the signed one. */
  'signed-body': {
    demand: open,
    share: 16,
    otherBody: true,
    make: ({ randomSource }) => ({ how: randomSource.pick(Object.keys(bodyChanges)) }),
    signed: (trick) => (request) => ({ ...request, body: changedBody(textOf(trick, 'how'), request.body) }),
  },
  /** A signature for another reading of what has to be signed. */
  'signed-digest': {
    demand: open,
    share: 5,
    make: ({ randomSource }) => ({ reading: randomSource.pick(['r16', 'r17', 'r18', 'r19', 'r20']) }),
    signed: (trick) => (request, sign) => {
      const values = sign({ misreading: textOf(trick, 'reading', 'r16') }).filter(isNamed(headerNames.signature));
      return withHeaders(
        request,
        headerNames.signature,
        values.map(([, value]) => value),
      );
    },
  },
} as const satisfies Readonly<Record<string, WireMutationKind>>;
