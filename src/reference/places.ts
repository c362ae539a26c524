import type { StreamEvent } from '../model/index.js';
import type { Outcome } from './calls.js';
import type { AgentTraits } from './spelling.js';

/** Where in the wire form of a result its objects are: paths with dots, `*` for every element of an array. */
export interface Places {
  readonly tasks: readonly string[];
  readonly statuses: readonly string[];
  readonly artifacts: readonly string[];
  readonly messages: readonly string[];
  /** Messages that are results of their own. */
  readonly replies: readonly string[];
  readonly statusUpdates: readonly string[];
  readonly artifactUpdates: readonly string[];
}

const nowhere: Places = {
  tasks: [],
  statuses: [],
  artifacts: [],
  messages: [],
  replies: [],
  statusUpdates: [],
  artifactUpdates: [],
};
const below = (at: string, path: string): string => (at === '' ? path : `${at}.${path}`);
const inTask = (at: string): Places => ({
  ...nowhere,
  tasks: [at],
  statuses: [below(at, 'status')],
  artifacts: [below(at, 'artifacts.*')],
  messages: [below(at, 'status.message'), below(at, 'history.*')],
});

function inEvent({ type }: StreamEvent, at: string): Places {
  switch (type) {
    case 'task':
      return inTask(at);
    case 'message':
      return { ...nowhere, messages: [at], replies: [at] };
    case 'status':
      return {
        ...nowhere,
        statusUpdates: [at],
        statuses: [below(at, 'status')],
        messages: [below(at, 'status.message')],
      };
    case 'artifact':
      return { ...nowhere, artifactUpdates: [at], artifacts: [below(at, 'artifact')] };
  }
}

type Wrappers = Pick<AgentTraits, 'wrapper' | 'eventWrapper'>;

export function placesOf(outcome: Outcome, { wrapper, eventWrapper = wrapper }: Wrappers): Places {
  switch (outcome.op) {
    case 'get':
    case 'cancel':
      return inTask('');
    case 'list':
      return inTask('tasks.*');
    case 'send':
      return inEvent(outcome.result, wrapper[outcome.result.type]);
    case 'stream':
    case 'subscribe':
      return inEvent(outcome.result, eventWrapper[outcome.result.type]);
    default:
      return nowhere;
  }
}
