import { type Document, declarationIn, type Inspector, paymentsIn } from '../kit/index.js';
import { member } from '../model/index.js';
import { isX402Extension } from '../x402/index.js';

/** The card as a document about payments, if it declares the extension; else none. */
export function declarationOf(card: unknown, inspector: Inspector): readonly Document[] {
  const listed = member(member(card, 'capabilities'), 'extensions');
  const declares = Array.isArray(listed) && listed.some((item) => isX402Extension(String(member(item, 'uri'))));
  return declares ? [declarationIn(card, inspector)] : [];
}

/** The metadata of payments inside a task, message or event. */
export const paymentsOf = (value: unknown, name: string, inspector: Inspector): readonly Document[] =>
  paymentsIn(value, name, inspector);
