import { describe, expect, test } from 'vitest';
import { spelledAgent } from '../../../test/spelled-agents.js';
import { type Dialect, fuzzedDialects } from '../../dialect/index.js';
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
  binding.hasEnvelope || demand === 'valid' ? right[demand] : [-32700, -32600, -32602, -32005, -32001];

describe.each(fuzzedDialects.map((dialect) => [dialect.id, dialect] as const))('%s', (_, dialect) => {
  test.each(['valid', 'mutant', 'tricked'] as const)(
    'the plain agent does what is demanded of %s requests',
    async (kind) => {
      const agent = spelledAgent(dialect);
      const randomSource = createRandomSource(11);
      const wrong: string[] = [];
      const seen = new Set<Demand>();
      for (const operation of agent.generator.operations) {
        for (let times = 0; times < 200; times++) {
          const step = agent.generator[kind](randomSource, operation, []);
          const { spelled, came, text } = await agent.send(step);
          seen.add(spelled.demand);
          if (kind === 'valid' && !spelled.valid)
            wrong.push(`${operation} is not valid: ${JSON.stringify(step.params)}`);
          if (spelled.demand === 'open' || came === 'unsent' || rightOver(dialect, spelled.demand).includes(came))
            continue;
          wrong.push(`${operation} ${spelled.demand}: ${came} to ${JSON.stringify(told(step))}: ${text.slice(0, 200)}`);
        }
      }
      agent.stop();
      expect(wrong).toEqual([]);
      expect(agent.crashes).toEqual([]);
      // What is wrong in one of two spellings may be right in the other.
      const broken = dialect.otherSpelling === undefined ? 'invalid-params' : 'open';
      expect([...seen]).toContain(kind === 'mutant' ? broken : 'valid');
    },
  );
});

const told = ({ params, edits, tricks }: CallStep): unknown =>
  edits === undefined && tricks === undefined ? params : { edits, tricks };
