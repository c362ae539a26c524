import { isObject, member } from '../../model/index.js';
import { type Fault, fault } from '../fault.js';
import type { Patch } from '../seams.js';
import { onXpr, setting } from '../xpr/patches.js';
import type { XprAgent, XprSeams } from '../xpr/seams.js';

/** The rows that the chain gives for an account, unchanged. */
async function rowsFor(account: string, { ask }: XprSeams): Promise<readonly unknown[]> {
  const answer = await ask('/v1/chain/get_table_rows', {
    json: true,
    code: 'agentcore',
    scope: 'agentcore',
    table: 'agents',
    lower_bound: account,
    upper_bound: account,
    limit: 1,
  });
  const rows = member(answer, 'rows');
  return Array.isArray(rows) ? rows : [];
}

/** Every agent that the chain knows counts as active, unless `active` has exactly this value. */
const inactiveOnlyIf = (value: unknown): Patch =>
  onXpr((inner, _, whole) => ({
    async agent(account) {
      const found = await inner.agent(account);
      const [row] = found === undefined ? [] : await rowsFor(account, whole.xpr);
      return found && isObject(row) ? { ...found, isActive: row['active'] !== value } : found;
    },
  }));

const anybody: XprAgent = { isActive: true, registeredAt: 0 };

/** Agents that check registration, KYC or trust of their signed callers wrongly. */
export const xprTrustFaults: readonly Fault[] = [
  fault('xpr-gates-off', {
    about: 'Registration is looked at only where there is a minimum of KYC or trust.',
    breaks: ['xpr.trust-unregistered', 'xpr.trust-inactive'],
    patch: setting({ requireRegistered: false }),
  }),
  fault('xpr-unregistered-admitted', {
    about: 'Callers that are not registered are treated like registered agents.',
    breaks: ['xpr.trust-unregistered'],
    patch: onXpr((inner) => ({ agent: async (account) => (await inner.agent(account)) ?? anybody })),
  }),
  fault('xpr-gate-fails-open', {
    about: 'Where the chain does not say whether somebody is registered, he is let in.',
    breaks: ['xpr.trust-unregistered'],
    patch: onXpr((inner) => ({ agent: (account) => inner.agent(account).catch(() => anybody) })),
  }),
  fault('xpr-foreign-row-admitted', {
    about: 'Any row that the chain gives for an account counts, also that of another one.',
    breaks: ['xpr.trust-unregistered'],
    patch: onXpr((inner, _, whole) => ({
      async agent(account) {
        const found = await inner.agent(account);
        if (found !== undefined) return found;
        return (await rowsFor(account, whole.xpr)).length > 0 ? anybody : undefined;
      },
    })),
  }),
  fault('xpr-inactive-admitted', {
    about: 'Registered agents are served, active or not.',
    breaks: ['xpr.trust-inactive'],
    patch: onXpr((inner) => ({
      async agent(account) {
        const found = await inner.agent(account);
        return found && { ...found, isActive: true };
      },
    })),
  }),
  fault('xpr-inactive-zero-admitted', {
    about: 'Agents whose row has active 0 are served; only false counts.',
    breaks: ['xpr.trust-inactive'],
    patch: inactiveOnlyIf(false),
  }),
  fault('xpr-inactive-false-admitted', {
    about: 'Agents whose row has active false are served; only 0 counts.',
    breaks: ['xpr.trust-inactive'],
    patch: inactiveOnlyIf(0),
  }),
  fault('xpr-kyc-unchecked', {
    about: 'The minimum of KYC is set, and nobody looks at it.',
    breaks: ['xpr.trust-kyc'],
    on: 'xpr-min-kyc',
    patch: setting({ minKyc: 0 }),
  }),
  fault('xpr-kyc-one-too-low', {
    about: 'One level below the minimum of KYC is enough.',
    breaks: ['xpr.trust-kyc'],
    on: 'xpr-min-kyc',
    patch: onXpr((inner) => ({ kyc: async (account) => (await inner.kyc(account)) + 1 })),
  }),
  fault('xpr-kyc-must-exceed', {
    about: 'The level of KYC must be above the minimum.',
    breaks: ['xpr.trust-kyc'],
    on: 'xpr-min-kyc',
    patch: onXpr((inner) => ({ kyc: async (account) => ((await inner.kyc(account)) > 2 ? 3 : 0) })),
  }),
  fault('xpr-trust-unchecked', {
    about: 'The minimum of trust is set, and nobody looks at it.',
    breaks: ['xpr.trust-score-below', 'xpr.trust-score-at'],
    on: 'xpr-min-trust',
    patch: setting({ minTrust: 0 }),
  }),
  fault('xpr-trust-of-everybody', {
    about: 'Everybody who is registered has a trust score of 50 to begin with.',
    breaks: ['xpr.trust-score-below'],
    on: 'xpr-min-trust',
    patch: onXpr((inner) => ({ trust: (agent, kyc) => 50 + inner.trust(agent, kyc) })),
  }),
  fault('xpr-trust-must-exceed', {
    about: 'The trust score must be above the minimum.',
    breaks: ['xpr.trust-score-at'],
    on: 'xpr-min-trust',
    patch: onXpr((inner) => ({ trust: (agent, kyc) => inner.trust(agent, kyc) - 1 })),
  }),
  fault('xpr-trust-without-months', {
    about: 'The trust score counts KYC, and not for how long somebody is registered.',
    breaks: ['xpr.trust-score-at'],
    on: 'xpr-min-trust',
    patch: onXpr((inner) => ({ trust: (agent, kyc) => inner.trust({ ...agent, registeredAt: Infinity }, kyc) })),
  }),
];
