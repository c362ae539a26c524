import {
  brief,
  isObject,
  isString,
  type JsonObject,
  type LawJudgement,
  law,
  protectedHeader,
  severally,
} from '../../src/kit/index.js';
import { objectsIn, onCard } from '../card/declared.js';

// A2A 1.0 §8.4.2: members of the protected header of a signature. Checks of the card judge whether it can be read.

const signed = {
  otherwise: 'no protected header could be read',
  unless: ({ cardDocument }: { readonly cardDocument: unknown }) =>
    isObject(cardDocument) && objectsIn(cardDocument['signatures']).length === 0
      ? 'the card has no signatures'
      : undefined,
};

const onHeaders = (judge: (header: JsonObject) => string | undefined) =>
  onCard((card): LawJudgement => {
    const headers = objectsIn(card['signatures'])
      .map(protectedHeader)
      .filter((header) => header !== undefined);
    const wrong = headers.map(judge).filter((problem) => problem !== undefined);
    if (wrong.length > 0) return severally(wrong);
    return headers.length > 0 ? 'holds' : 'not-concerned';
  });

export const kid = law(
  'signature/kid',
  'sig.kid',
  'name the key of each signature in its protected header',
  { ...signed, advice: 'Add "kid" to the protected header before you sign, as a text: clients find the key by it.' },
  onHeaders((header) => (isString(header['kid']) ? undefined : `kid is ${brief(header['kid'])}`)),
).killedBy('signature-without-kid', 'signature-kid-number');

export const typ = law(
  'signature/typ',
  'sig.typ',
  'give JOSE as the typ of each signature',
  { ...signed, advice: 'Add "typ": "JOSE" to the protected header before you sign.' },
  onHeaders((header) => (header['typ'] === 'JOSE' ? undefined : `typ is ${brief(header['typ'])}`)),
).killedBy('signature-without-typ', 'signature-typ-jwt');
