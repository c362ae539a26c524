import { x402Options } from './x402/options/rows.js';
import { xprOptions } from './xpr/options/rows.js';

// Options of the packs that ship with the kit. Help shows them, so nothing else of a pack is loaded here.

/** By pack: how people read of the group, and its rows. */
export const bundledOptions = {
  xpr: { title: 'XPR', heading: 'Callers that sign, of XPR agents:', options: xprOptions },
  x402: { title: 'Payments', heading: 'Payments:', options: x402Options },
} as const;

/** The pack of payments: it is judged beside the profile of an agent, where the user asks for it by the option of its name. */
export const charging = {
  pack: 'x402',
  option: '--x402',
  /** Its rows, and those of clients. */
  ledger: 'x402',
  clientLedger: 'client-x402',
  how: 'payments are judged with --x402',
  /** A kind of its documents. */
  document: 'x402-payment-required',
  /** What the option of its name means to commands that take no other option of it. */
  about: {
    serve: 'it charges for some messages, with a facilitator beside it',
    stub: 'for agents that charge: a facilitator',
    prove: 'only the checks of payments, on agents that charge',
    list: 'only what is about payments',
  },
} as const;

/** What a configuration for an agent of the pack says: where to read on, and options that a user may set. */
interface Setup {
  readonly guide: string;
  readonly suggested: readonly string[];
}
const setups: Readonly<Record<string, Setup>> = {
  xpr: {
    guide: 'Keys stay in the environment: A2A_TCK_XPR_KEY. docs/xpr.md is the guide.',
    suggested: ['xpr-account: the account that signs', 'xpr-allow-send: true'],
  },
  x402: {
    guide:
      'The card claims payments (x402). Judge them too; without a wallet no money can move. docs/x402.md is the guide.',
    suggested: ['x402: true', 'x402-message: what the agent charges for'],
  },
};
export const setupOf = (pack: string): Setup => setups[pack] ?? { guide: '', suggested: [] };
