import { afterAll } from 'vitest';
import { conformance } from '../../src/adapters/vitest.js';
import { startAgent } from './agent.js';

const stops: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(stops.map((stop) => stop())));

conformance({
  name: 'My agent speaks A2A',
  url: async () => {
    const agent = await startAgent();
    stops.push(agent.stop);
    return agent.url;
  },
  suites: ['card'],
});
