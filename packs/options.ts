import { xprOptions } from './xpr/options/rows.js';

// Options of the packs that ship with the kit. Help shows them, so nothing else of a pack is loaded here.

/** By pack: how people read of the group, and its rows. */
export const bundledOptions = {
  xpr: { title: 'XPR', heading: 'Callers that sign, of XPR agents:', options: xprOptions },
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
};
export const setupOf = (pack: string): Setup => setups[pack] ?? { guide: '', suggested: [] };
