import { afterAll, expect } from 'vitest';
import { conformance } from '../../src/adapters/vitest.js';
import { startAgent } from './agent.js';

const stops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

conformance({
  name: 'My agent does what I expect',
  url: async () => {
    const agent = await startAgent();
    stops.push(agent.stop);
    return agent.url;
  },
  suites: ['card'],
  expect: [
    {
      name: 'says what it was asked',
      prompt: 'How tall is Mont Blanc?',
      holds({ state, text, seconds }) {
        expect(state).toBe('completed');
        expect(text.split('\n').length).toBeLessThan(5);
        expect(text).toMatch(/mont blanc/i);
        expect(seconds).toBeLessThan(10);
      },
    },
  ],
});
