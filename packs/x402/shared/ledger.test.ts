import { expect, test } from 'vitest';
import { loadLedger, publishedAt } from '../../../src/ledger/index.js';

test.each(['x402', 'client-x402'])('every row of %s leads to the document that it names first', (id) => {
  for (const row of loadLedger(id).rows) {
    const url = publishedAt(row);
    expect(url === undefined ? row.section : 'found').toBe('found');
  }
});
