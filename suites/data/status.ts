import { bodyText, brief, conforms, header, inconclusive, isString, law, member, set } from '../../src/kit/index.js';
import { shown } from './shown.js';

// A2A 0.3 §6.2 TaskStatus Object, §6.3 TaskState Enum.

// In our words (1.0, 4.1.3 TaskState): status.state is present and has one of the TASK_STATE_* names.
export const state = conforms('data/task-state', 'data.task-state', 'name a state that the specification knows', {
  otherwise: 'set behaviours.completed: no task came',
  advice:
    'Write the names letter by letter: "input-required" and "canceled" with one l, in 1.0 TASK_STATE_INPUT_REQUIRED and TASK_STATE_CANCELED.',
});

// In our words (1.0, 4.1.3 TaskState): TASK_STATE_UNSPECIFIED is not reported.
export const unspecified = conforms(
  'data/state-unspecified',
  'data.state-unspecified',
  'name a state, not TASK_STATE_UNSPECIFIED',
  {
    otherwise: 'set behaviours.completed: no task came',
    advice: 'Set TASK_STATE_SUBMITTED when the task is made: UNSPECIFIED is the default of an unset enum.',
  },
).mutants(set('status.state', 'TASK_STATE_UNSPECIFIED'));

// In our words (1.0, 4.1.2 TaskStatus): status.message is a Message when present.
export const message = conforms(
  'data/status-message',
  'data.status-message',
  'have a whole Message as the message of a status',
  {
    otherwise: 'set behaviours.input-required: no status with a message came',
    advice: 'Wrap the text in a Message with role, messageId and parts: clients cannot read a bare text there.',
  },
);

// In our words (1.0, 5.6.1 Timestamps): Timestamps are ISO 8601 in UTC with suffix Z.
export const timestamp = conforms(
  'data/timestamp',
  'data.timestamp',
  'write the time of a status in the form of ISO 8601',
  {
    otherwise: 'no status with a timestamp came',
    advice:
      'Write "2026-01-31T12:00:00.000Z", in UTC with Z at the end: this form is right in every version. A number of seconds is not.',
  },
);

/**
 * A time without a zone may be in any zone (AMB03-23); zones are up to 26 hours apart, ms. No clock is expected to be
 * so wrong.
 */
const farMs = 26 * 60 * 60 * 1000;

// In our words (1.0, 4.1.2 TaskStatus): status.timestamp is the time at which the status was recorded.
export const recordedNow = law(
  'data/timestamp-now',
  'data.timestamp-now',
  'give a status the time at which it was recorded',
  {
    otherwise: 'no status with a timestamp came',
    advice: 'A time in 1970 is one of seconds, taken for milliseconds.',
  },
  (reading) => {
    const { state, timestamp: recorded = '' } = shown(reading).task?.status ?? {};
    const at = Date.parse(recorded);
    if (Number.isNaN(at)) return 'not-concerned';
    // Compared with the agent's own Date, since the kit's clock may be wrong.
    const said = header(reading.exchange.response?.headers ?? [], 'date');
    const now = Date.parse(said ?? '');
    if (Number.isNaN(now)) return inconclusive('the agent sends no Date header, so its clock is unknown');
    return Math.abs(at - now) <= farMs ? 'holds' : `the status ${state} is of ${recorded}, and the answer of ${said}`;
  },
);

// In our words (1.0, 4.1.4 Message): Agent-written messages have ROLE_AGENT.
export const role = law(
  'data/status-message-role',
  'data.agent-role',
  'give the message of a status the role agent',
  {
    otherwise: 'set behaviours.input-required: no status with a message came',
    advice:
      'Build this message in the agent, with role "agent", in 1.0 "ROLE_AGENT". The message of the client belongs into the history.',
    places: ({ value }) => {
      const found = member(member(member(value, 'status'), 'message'), 'role');
      return isString(found) && !/agent/i.test(found)
        ? [{ path: '/status/message/role', problem: 'is not the role of the agent', seen: brief(found) }]
        : [];
    },
  },
  (reading, _, tape) => {
    const status = shown(reading).task?.status;
    if (status?.message === undefined) return 'not-concerned';
    const { role: found, messageId } = status.message;
    if (found === 'agent') return 'holds';
    // A message that the client sent, and that the agent only shows, was not written by the agent.
    const isEcho = messageId !== '' && tape.some(({ exchange }) => bodyText(exchange.request.body).includes(messageId));
    return isEcho ? 'not-concerned' : `the message of the status ${status.state} has the role ${found}`;
  },
).mutants(set('status.message.role', (old: unknown) => (String(old).startsWith('ROLE_') ? 'ROLE_USER' : 'user')));
