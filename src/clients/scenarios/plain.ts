import { able } from '../../reference/index.js';
import { scenario } from '../scenario.js';

/** Nothing is difficult: the other scenarios are compared with these. */
export const plainScenarios = [
  scenario('send', {
    about: 'the agent answers a message with a task that takes a moment',
    errand: { do: 'send', text: 'Hello' },
    expected: { state: 'completed', text: 'You said: Hello' },
  }),
  scenario('stream', {
    about: 'the agent streams an answer',
    errand: { do: 'stream', text: 'tck-stream-chunked' },
    patch: () => able({ streaming: true }),
    expected: { state: 'completed', text: 'chunk 1 chunk 2' },
  }),
];
