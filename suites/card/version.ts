import { brief, isObject, isString, law, member } from '../../src/kit/index.js';

// A2A 0.3 §5.5 protocolVersion: up to 0.3, `kind` distinguishes results, and states and roles are lower-case words.

const spelled = (word: unknown): boolean => !isString(word) || !/^(?:TASK_STATE|ROLE)_|[A-Z]/.test(word);

// In our words (0.3, 5.5 AgentCard Object Structure): The wire format matches the declared protocolVersion.
export const wire = law(
  'card/wire-matches-card',
  'ver.wire-matches-card',
  'be spelled as the protocolVersion of the card says',
  {
    subject: 'every answer',
    otherwise: 'set behaviours.completed: neither a task nor a message came',
    unless: ({ card }) =>
      card.protocolVersion?.startsWith('0.') === true ? undefined : 'the card declares no protocolVersion below 1.0',
    advice: 'Agents of A2A 1.0 spell tasks otherwise; declare the version that the endpoint really speaks.',
  },
  (reading) => {
    let seen = false;
    for (const { of, name, value } of reading.documents) {
      if (of !== 'result' || !isObject(value)) continue;
      const kind = member(value, 'kind');
      const wrapper = ['task', 'message'].find((type) => kind === undefined && isObject(member(value, type)));
      if (wrapper !== undefined) return `${name} is wrapped in ${wrapper}: ${brief(value)}`;
      const status = member(value, 'status');
      if (!isObject(status) && !Array.isArray(member(value, 'parts'))) continue;
      if (!isString(kind)) return `${name} has no kind: ${brief(value)}`;
      for (const word of [member(status, 'state'), member(value, 'role')]) {
        if (!spelled(word)) return `${name} says ${brief(word)}`;
      }
      seen = true;
    }
    return seen ? 'holds' : 'not-concerned';
  },
);
