import { describe, expect, test } from 'vitest';
import { dialects } from '../src/dialect/index.js';
import { impostors } from '../src/reference/index.js';
import { judge } from './judged.js';

// Servers that are not agents, judged over HTTP+JSON as an agent of the profile would be. All others, and all bindings,
// are played by `prove`; these two go the way of a run that may say at once that this is not an agent.

describe.each(dialects.filter(({ binding }) => binding.id === 'http+json'))('judged as $id', (dialect) => {
  test.each(impostors.filter(({ id }) => id === 'echo' || id === 'card-and-one-task'))(
    '$id gets no green verdict',
    async ({ id, carrier }) => {
      const judged = judge({
        profile: dialect.id,
        between: (_, clock) => carrier({ dialect, clock, baseUrl: 'http://agent.test' }),
      });
      const said = await judged.catch((cause: unknown) => cause);
      // Where the card is missing too, the run may say at once that this is not an agent.
      if (!id.startsWith('card-and-') && said instanceof Error) {
        expect(said).toMatchObject({ code: 'not-an-agent' });
        return;
      }
      const { gate, checks } = await judged;
      expect(gate.passed).toBe(false);
      expect([1, 4]).toContain(gate.exitCode);
      expect(gate.reasons).not.toEqual([]);
      expect(checks.filter(({ verdict }) => verdict === 'error')).toEqual([]);
    },
  );
});
