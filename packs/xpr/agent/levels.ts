import { isString, type JsonObject, member } from '../../../src/model/index.js';

const highestLevel = 3;
const highest = (levels: readonly number[]): number =>
  Math.min(highestLevel, Math.max(0, ...levels.filter(Number.isFinite)));

/** One entry: a level, or an object whose `kyc_level` lists claims with commas between them. */
function levelOf(entry: unknown): number {
  const said = typeof entry === 'number' ? entry : member(entry, 'kyc_level');
  if (typeof said === 'number') return said;
  if (!isString(said)) return 0;
  const claims = said
    .split(',')
    .map((claim) => claim.trim())
    .filter((claim) => claim !== '');
  const numbers = claims.flatMap((claim) => /^(?:[^:]*:)?(\d+)$/.exec(claim)?.[1] ?? []);
  // Claims without a number count three to a level.
  return numbers.length > 0 ? highest(numbers.map(Number)) : Math.ceil(claims.length / 3);
}

/** The KYC level of a row of `usersinfo`, 0 to 3: 1 for an account that is only verified, 0 without a row. */
export function kycLevel(row: JsonObject | undefined): number {
  const entries = member(row, 'kyc');
  const verified = member(row, 'verified');
  return highest([
    ...(Array.isArray(entries) ? entries.map(levelOf) : []),
    verified === 1 || verified === true ? 1 : 0,
  ]);
}

const monthSeconds = 30 * 24 * 60 * 60;
const pointsOfLevel = 10;
const mostMonths = 10;

/**
 * The part of the trust score that tables show: ten points a level, and one for each month since registration, at most
 * ten. Stake and reputation are not looked at, so that 40 is the most.
 */
export function trustScore(registeredAt: number, kyc: number, now: number): number {
  const months = Math.floor((now - registeredAt) / monthSeconds);
  return pointsOfLevel * kyc + Math.min(mostMonths, Math.max(0, months));
}
