import { createHash } from 'node:crypto';
import type { Symptom } from './oracle.js';

/** What makes two symptoms one finding. */
export const causeOf = ({ cause, bucket }: Pick<Symptom, 'cause' | 'bucket'>): string => cause ?? bucket;

/** The name of all findings of a cause, in every run: `f-` and eight hexadecimal digits. */
export const findingId = (cause: string): string => `f-${createHash('sha256').update(cause).digest('hex').slice(0, 8)}`;
