import { isObject } from '../../model/index.js';
import { fault } from '../fault.js';
import type { Patch } from '../seams.js';

/** The JSON text of each result. */
const onResults =
  (edit: (text: string) => string): Patch =>
  (inner) => ({
    httpResult(result, call) {
      const reply = inner.httpResult(result, call);
      return { ...reply, value: JSON.parse(edit(JSON.stringify(reply.value))) };
    },
  });

export const restAnswersFaults = [
  fault('rest-mixed-spelling', {
    about: 'Roles are spelled as in the proto, all else as in the schema.',
    breaks: ['rest.one-spelling'],
    profiles: ['a2a-0.3-rest'],
    patch: onResults((text) => text.replaceAll('"role":"user"', '"role":"ROLE_USER"')),
  }),
  fault('rest-text-lost', {
    about: 'Messages of the client are kept without their parts.',
    breaks: ['rest.text-arrives'],
    profiles: ['a2a-0.3-rest'],
    patch: onResults((text) =>
      JSON.stringify(
        JSON.parse(text, (_, value) =>
          isObject(value) && value['role'] === 'user' && Array.isArray(value['parts'])
            ? { ...value, parts: [] }
            : value,
        ),
      ),
    ),
  }),
];
