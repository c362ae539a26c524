import { createHash } from 'node:crypto';

/** The name of all findings of a bucket, in every run: `f-` and eight hexadecimal digits. */
export const findingId = (bucket: string): string =>
  `f-${createHash('sha256').update(bucket).digest('hex').slice(0, 8)}`;
