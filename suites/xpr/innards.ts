import { type Exchange, innerSigns, type Sign, innards as shownBy } from '../../src/kit/index.js';

// What an answer says of the inside of an agent of this dialect. No rules: index.ts does not collect this file.

const signs: readonly Sign[] = [
  ...innerSigns,
  // From the beginning of a word on: a long one is read once, not from each of its letters.
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

/** What the answer shows of the inside; undefined: nothing. What was sent does not count. */
export const innards = (exchange: Exchange): string | undefined => shownBy(exchange, signs);
