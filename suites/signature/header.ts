import {
  brief,
  isObject,
  isString,
  type JsonObject,
  type LawJudgement,
  law,
  protectedHeader,
  set,
  severally,
} from '../../src/kit/index.js';
import { objectsIn, onCard, placesOnCard } from '../shared/declared.js';

// A2A 1.0 §8.4.2: members of the protected header of a signature. Checks of the card judge whether it can be read.

const signed = {
  otherwise: 'the kit can read no protected header',
  unless: ({ cardDocument }: { readonly cardDocument: unknown }) =>
    isObject(cardDocument) && objectsIn(cardDocument['signatures']).length === 0
      ? 'the card has no signatures'
      : undefined,
};

/** The signatures whose protected header can be read and is wrong. */
const placesOnHeaders = (judge: (header: JsonObject) => string | undefined) =>
  placesOnCard(({ signatures }) =>
    (Array.isArray(signatures) ? signatures : []).flatMap((signature, at) => {
      const header = isObject(signature) ? protectedHeader(signature) : undefined;
      const problem = header === undefined ? undefined : judge(header);
      return problem === undefined
        ? []
        : [{ path: `/signatures/${at}/protected`, problem: `holds a header whose ${problem}` }];
    }),
  );

const onHeaders = (judge: (header: JsonObject) => string | undefined) =>
  onCard((card): LawJudgement => {
    const headers = objectsIn(card['signatures'])
      .map(protectedHeader)
      .filter((header) => header !== undefined);
    const wrong = headers.map(judge).filter((problem) => problem !== undefined);
    if (wrong.length > 0) return severally(wrong);
    return headers.length > 0 ? 'holds' : 'not-concerned';
  });

/** The protected header with other members. */
const reheaded =
  (change: (header: JsonObject) => object) =>
  (old: unknown): string => {
    const header = protectedHeader({ protected: old });
    return Buffer.from(JSON.stringify(change(header ?? {}))).toString('base64url');
  };

const kidProblem = ({ kid }: JsonObject) => (isString(kid) ? undefined : `kid is ${brief(kid)}`);
const typProblem = ({ typ }: JsonObject) => (typ === 'JOSE' ? undefined : `typ is ${brief(typ)}`);

// In our words (1.0, 8.4.2 Signature Format): The protected header has a `kid`.
export const kid = law(
  'signature/kid',
  'sig.kid',
  'name the key of each signature in its protected header',
  {
    ...signed,
    advice: 'Add "kid" to the protected header before you sign, as a text: clients find the key by it.',
    places: placesOnHeaders(kidProblem),
  },
  onHeaders(kidProblem),
).mutants(
  set(
    'signatures.protected',
    reheaded(({ kid: _, ...rest }) => rest),
  ),
);

// In our words (1.0, 8.4.2 Signature Format): `typ` is JOSE.
export const typ = law(
  'signature/typ',
  'sig.typ',
  'give JOSE as the typ of each signature',
  {
    ...signed,
    advice: 'Add "typ": "JOSE" to the protected header before you sign.',
    places: placesOnHeaders(typProblem),
  },
  onHeaders(typProblem),
).mutants(
  set(
    'signatures.protected',
    reheaded((header) => ({ ...header, typ: 'JWT' })),
  ),
);
