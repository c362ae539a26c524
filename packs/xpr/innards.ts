import { type Exchange, type LeakPattern, leakPatterns, internalDisclosure as shownBy } from '../../src/kit/index.js';

// Internals of an agent of this dialect in its answers. No rules: index.ts does not collect this file.

const signs: readonly LeakPattern[] = [
  ...leakPatterns,
  // Matches from the beginning of a word, so that a long word is scanned only once.
  ['the address of its chain', /(?<![^\s"'<>])[^\s"'<>]*?\/v1\/chain\/\w+/],
  [
    'the address of its chain',
    /\b(?:connect )?(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH)\b[^"'<>\n]{0,80}/,
  ],
  ['an exception of its chain', /\beosio::|\bfc::|\bnodeos\b|\b\w+\.[ch]pp\b|\beosio_assert\b/],
  [
    'the name of a package',
    /@(?:proton|xpr-agents|noble|scure|greymass|wharfkit)\/[\w-]+|\b(?:eosjs|body-parser|raw-body|node-fetch|undici)\b/,
  ],
];

/** The internals that the answer shows; undefined when there are none. Text that the kit sent does not count. */
export const innards = (exchange: Exchange): string | undefined => shownBy(exchange, signs);
