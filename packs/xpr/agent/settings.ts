import type { Dialect } from '../../../src/dialect/index.js';

/** What the operator of an XPR agent can set. XPR document: Trust Gating, Rate Limiting. */
export interface XprSettings {
  /** Account of the agent itself. */
  readonly account: string;
  /** Number of lines that are signed: five contain the recipient and the chain too. */
  readonly lines: 3 | 5;
  /** Permissions of an account whose keys may sign for it. */
  readonly permissions: readonly string[];
  /** `optional`: requests without a signature are served, without a caller. */
  readonly mode: 'required' | 'optional';
  /** How old and how far ahead a timestamp may be, seconds. */
  readonly windowSeconds: number;
  readonly aheadSeconds: number;
  /** Calls of one account in a minute. */
  readonly rateLimit: number;
  /** For how long the answers of the chain about an account are kept, seconds. */
  readonly cacheSeconds: number;
  /** Callers must be registered agents, and active. */
  readonly requireRegistered: boolean;
  /** 0 to 3; 0 asks for none. */
  readonly minKyc: number;
  /** 0 to 100; 0 asks for none. */
  readonly minTrust: number;
}

/** The defaults of the document. */
export const usualSettings: XprSettings = {
  account: 'tckagent',
  lines: 3,
  permissions: ['active'],
  mode: 'required',
  windowSeconds: 300,
  aheadSeconds: 300,
  rateLimit: 20,
  cacheSeconds: 300,
  requireRegistered: true,
  minKyc: 0,
  minTrust: 0,
};

/** The settings of agents whose callers must sign the recipient as well. */
export const boundSettings: XprSettings = { ...usualSettings, lines: 5, permissions: ['active', 'a2a'] };

/** How many lines callers of a profile sign. */
export const linesOf = ({ id }: Dialect): 3 | 5 => (id === 'xpr-v2' ? 5 : 3);
