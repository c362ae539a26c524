import { TckError } from '../model/tck-error.js';

const seconds = { s: 1, m: 60, h: 3600 } as const;

/** Requests in a time, of `20/m`, `2/s` or a number, which is per second. Throws `TckError('usage')`. */
export function readRate(given: string | number): { readonly requests: number; readonly windowMs: number } {
  const [, count = '', unit = 's'] = /^([1-9]\d{0,5})(?:\/([smh]))?$/.exec(String(given).trim()) ?? [];
  if (count === '') {
    throw new TckError(
      'usage',
      `--rate ${given} is not a rate`,
      'give it as 20/m: requests a second (s), minute (m) or hour (h)',
    );
  }
  return { requests: Number(count), windowMs: 1000 * seconds[unit as keyof typeof seconds] };
}

/** The same as the fuzzer counts, which spaces its requests evenly. */
export function perSecond(given: string | number): number {
  const { requests, windowMs } = readRate(given);
  return (1000 * requests) / windowMs;
}
