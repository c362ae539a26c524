import { describe, expect, test } from 'vitest';
import { faults, patchesOf, presets, variants } from '../fixtures/faults/index.js';
import { dialectById } from '../src/dialect/index.js';
import { play } from '../src/proof/cell.js';
import { together } from '../src/reference/seams.js';
import { rules } from '../suites/index.js';

// The weaknesses of the published agent, all at once, are found each by its check, and nothing else is found.

/** What checks of the kit find on an agent with all faults of a preset. */
async function found(id: string): Promise<readonly string[]> {
  const dialect = dialectById('xpr');
  const preset = presets.find((preset) => preset.id === id);
  if (dialect === undefined || preset === undefined) throw new Error(`no preset ${id}`);
  const all = { id, about: '', breaks: ['xpr.replay-same'] as const, patch: together(...patchesOf(preset)) };
  const cast = { dialect, rules, faults: [...faults, all], variants, impostors: [] };
  const row = await play(cast, { type: 'fault', id });
  expect(row.crashes).toEqual([]);
  expect(row.error).toEqual({});
  return Object.keys(row.fail).sort();
}

describe('the published agent', () => {
  test('that wants signatures fails what it is known to get wrong', async () => {
    expect(await found('upstream-g1')).toEqual(
      [
        'xpr/timestamp-twice',
        'xpr/signature-twins',
        'xpr/unknown-account-text',
        'xpr/other-curves',
        'xpr/threshold',
        'xpr/invalid-utf8',
        'xpr/timestamp-prefix',
        'xpr/replay-same',
        'xpr/methods-once',
        'xpr/replay-parallel',
        'xpr/replay-twin',
        'xpr/replay-timestamp',
        'xpr/replay-elsewhere',
        // The other half of waiting: without a store a request that was dated ahead is taken again for longer.
        'xpr/replay-ahead',
        'xpr/foreign-send-code',
        'xpr/completed-restart',
        'task/cancel-stays',
        'xpr/rate-replay',
        'xpr/trust-unregistered',
        'xpr/trust-inactive',
        'xpr/invalid-json',
        // The same page, as JSON-RPC itself judges it.
        'rpc/parse-error',
        'rpc/resembling-json',
        'rpc/validated-first',
        'xpr/error-forms',
        'xpr/no-disclosure',
      ].sort(),
    );
  });

  test('that takes unsigned requests too believes the account that they name', async () => {
    expect(await found('upstream-g1-optional')).toEqual(
      ['xpr/empty-header', 'xpr/unsigned-identity', 'xpr/unsigned-owner', 'xpr/rate-anonymous'].sort(),
    );
  });
});
