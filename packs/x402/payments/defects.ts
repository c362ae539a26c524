import type { Flaw } from './defect.js';
import { malformedPayments } from './malformed-payments.js';
import type { X402Version } from './objects.js';
import { wrongPayments } from './wrong-payments.js';

export type DefectId = keyof typeof wrongPayments | keyof typeof malformedPayments;

/**
 * A way to make a payment that must be refused: n01 to n30 are well-formed, m01 to m27 are not. All are signed by a
 * throwaway wallet, since any program that sees a properly signed wrong payment could cash it.
 */
export interface Defect extends Flaw {
  readonly id: DefectId;
  readonly malformed: boolean;
}

const table = { ...wrongPayments, ...malformedPayments } satisfies Readonly<Record<DefectId, Flaw>>;

export const defects = Object.fromEntries(
  Object.entries(table).map(([id, flaw]) => [id, { ...flaw, id, malformed: id.startsWith('m') }]),
) as Readonly<Record<DefectId, Defect>>;

/** The defects that a payment of the version can have. */
export const defectsOf = (version: X402Version): readonly Defect[] =>
  Object.values(defects).filter(({ versions }) => versions.includes(version));
