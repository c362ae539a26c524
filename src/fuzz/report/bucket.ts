import { createHash } from 'node:crypto';
import type { Symptom } from '../oracles/oracle.js';

/** Symptoms with the same cause are one finding. */
export const causeOf = ({ cause, bucket }: Pick<Symptom, 'cause' | 'bucket'>): string => cause ?? bucket;

/** The id of the finding with this cause, the same in every run: `f-` and eight hexadecimal digits. */
export const findingId = (cause: string): string => `f-${createHash('sha256').update(cause).digest('hex').slice(0, 8)}`;
