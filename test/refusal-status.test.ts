import { expect, test } from 'vitest';
import { onEnvelope } from '../src/reference/edits.js';
import { type Patch, variants } from '../src/reference/index.js';
import { judge } from './judged.js';

// What is refused without a word of credentials, by an agent that was never seen to accept it, is refused for anything.

test('a refusal that does not speak of credentials says nothing where none were given', async () => {
  const declares = variants.find(({ id }) => id === 'bearer-required')?.patch;
  if (declares === undefined) throw new Error('no such variant');
  const picky = onEnvelope((_, call) => ({
    jsonrpc: '2.0',
    id: call?.id ?? null,
    error: { code: -32602, message: 'Say it in French' },
  }));
  const open: Patch = () => ({ authenticate: async () => undefined });
  const { checks } = await judge({ patches: [declares, open, picky], checks: ['auth/refusal-status'] });
  expect(checks.map(({ verdict, reason }) => [verdict, reason])).toEqual([
    [
      'inconclusive',
      expect.stringMatching(/^the answer does not show that missing credentials are the cause: error -32602/),
    ],
  ]);
});
