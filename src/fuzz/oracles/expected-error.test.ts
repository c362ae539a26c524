import { describe, expect, test } from 'vitest';
import { runsByDay } from '../../../test/property-runs.js';
import { spelledAgent } from '../../../test/spelled-agents.js';
import { type Dialect, dialects } from '../../dialect/index.js';
import type { CallStep, Demand } from '../case/case.js';
import { createRandomSource } from '../generate/random-source.js';

// What is demanded of an answer is what the plain reference agent does: else a conforming agent would be accused.

/** A valid request is refused for the state of a task only, or for a part whose type the agent does not take. */
const stateCodes = [-32001, -32002, -32004, -32005];
const right: Readonly<Record<Exclude<Demand, 'open'>, readonly (number | string)[]>> = {
  valid: ['result', ...stateCodes],
  'parse-error': [-32700],
  'invalid-request': [-32600],
  'unknown-method': [-32601],
  'invalid-params': [-32602, -32600, -32005],
};

/** Over HTTP a bare 400 is enough for each of them, and a router looks for the task before a body is read. */
const rightOver = ({ binding }: Dialect, demand: Exclude<Demand, 'open'>): readonly (number | string)[] =>
  binding.requests === 'envelopes' || demand === 'valid' ? right[demand] : [-32700, -32600, -32602, -32005, -32001];

describe.each(dialects.map((dialect) => [dialect.id, dialect] as const))('%s', (_, dialect) => {
  test.each(['valid', 'mutant', 'tricked'] as const)(
    'the plain agent does what is demanded of %s requests',
    async (kind) => {
      const agent = spelledAgent(dialect);
      const randomSource = createRandomSource(11);
      const wrong: string[] = [];
      const seen = new Set<Demand>();
      for (const operation of agent.generator.operations) {
        for (let times = 0; times < runsByDay(40); times++) {
          const step = agent.generator[kind](randomSource, operation, []);
          const { spelled, came, text } = await agent.send(step);
          seen.add(spelled.demand);
          // As a message, an empty list is one that is missing.
          const isEmptied = dialect.binding.requests === 'messages' && JSON.stringify(step.params).includes(':[]');
          if (kind === 'valid' && !spelled.valid && !isEmptied)
            wrong.push(`${operation} is not valid: ${JSON.stringify(step.params)}`);
          if (spelled.demand === 'open' || came === 'unsent' || rightOver(dialect, spelled.demand).includes(came))
            continue;
          wrong.push(
            `${operation} ${spelled.demand}: ${came} to ${JSON.stringify(stepText(step))}: ${text.slice(0, 200)}`,
          );
        }
      }
      agent.stop();
      expect(wrong).toEqual([]);
      expect(agent.crashes).toEqual([]);
      // What is wrong in one of two spellings may be right in the other.
      // A message has no room for most of what is wrong, and what a trick does to one is open (AMB10-49).
      const isOpen = dialect.otherSpellings !== undefined || dialect.binding.requests === 'messages';
      const tricked = dialect.binding.requests === 'messages' ? 'open' : 'valid';
      const wanted = { valid: 'valid', mutant: isOpen ? 'open' : 'invalid-params', tricked } as const;
      expect([...seen]).toContain(wanted[kind]);
    },
  );
});

const stepText = ({ params, edits, tricks }: CallStep): unknown =>
  edits === undefined && tricks === undefined ? params : { edits, tricks };
