import { isTerminal } from '../../model/index.js';
import { fault } from '../fault.js';
import { onEventOf } from './streaming.js';

const on = 'streaming';
const nowhere = '00000000-0000-4000-8000-00000000ffff';

export const streamEventFaults = [
  fault('sub-brings-messages', {
    about: 'Before a task ends, subscribers are sent a message.',
    breaks: ['sub.no-messages'],
    on,
    patch: onEventOf('subscribe', (event) =>
      event.type === 'status' && isTerminal(event.status.state)
        ? [
            { type: 'message', message: { messageId: nowhere, role: 'agent', parts: [{ kind: 'text', text: 'So!' }] } },
            event,
          ]
        : event,
    ),
  }),
];
