import { describe, expect, it } from 'vitest';
import { createInspector } from '../src/ledger/schemas.js';
import { rpc } from './samples.js';
import { accepted, filed } from './terminal-bench.cases.js';

const inspector = createInspector('a2a/terminal-bench');

describe('the Terminal Bench schemas', () => {
  it.each(accepted)('accept %s', (_name, ref, document) => {
    expect(inspector.inspect(ref, document).findings).toEqual([]);
  });

  it.each(filed)('file %s', (_name, ref, document, rule, path) => {
    const { findings } = inspector.inspect(ref, document);
    expect(findings.map((finding) => [finding.rule, finding.path])).toEqual([[rule, path]]);
  });

  it('have no streams', () => {
    expect(inspector.has(rpc('stream.result'))).toBe(false);
  });
});
