import { type ErrorName, isObject, member } from '../../model/index.js';
import type { Reply } from '../calls.js';
import { onCard, onReply, set } from '../edits.js';
import { fault } from '../fault.js';
import { jsonHeaders, peek, plainReply } from '../http.js';
import type { Patch } from '../seams.js';
import { messageOf, refusingSend } from './send-refusals.js';

const onPath =
  (path: string, answer: (card: unknown) => Reply): Patch =>
  (inner, { baseUrl }) => ({
    serve: async (request) =>
      request.method === 'GET' && request.url === `${baseUrl}${path}`
        ? answer(inner.cardDocument())
        : inner.serve(request),
  });
const lacksMessageId = (params: unknown): boolean => {
  const message = messageOf(params);
  return isObject(message) && !Object.hasOwn(message, 'messageId');
};

const lacksModes = (params: unknown): boolean => {
  const configuration = member(params, 'configuration');
  return isObject(configuration) && !Object.hasOwn(configuration, 'acceptedOutputModes');
};
const refusingReason =
  (failure: ErrorName): Patch =>
  (inner) => ({
    problems(op, wire) {
      const found = inner.problems(op, wire);
      const hasReason = op === 'cancel' && isObject(wire) && Object.hasOwn(wire, 'reason');
      return hasReason ? [{ path: 'reason', about: 'reason is unknown', failure }, ...found] : found;
    },
  });

/** Defects of the card of a dialect. */
const cards = [
  fault('card-authentication-schemes-text', {
    about: 'The schemes of authentication are one text.',
    breaks: ['card.old-authentication'],
    patch: onCard((card) => set(card, 'authentication', { schemes: 'bearer' })),
  }),
  fault('card-of-another-at-alternative-path', {
    about: 'The card of another agent stands at /agent-card.',
    breaks: ['card.alternative-path'],
    patch: onPath('/agent-card', (card) => ({
      status: 200,
      headers: jsonHeaders,
      body: JSON.stringify(set(card, 'name', 'Somebody else')),
    })),
  }),
  fault('card-alternative-path-crashes', {
    about: 'Asking for /agent-card ends in a bare status 500.',
    breaks: ['card.alternative-path'],
    patch: onPath('/agent-card', () => plainReply(500, 'Internal server error')),
  }),
  fault('health-never-answered', {
    about: 'Who asks for /health waits for ever.',
    breaks: ['agent.health'],
    patch: onPath('/health', () => ({ ...plainReply(200, 'ok'), fate: 'hang' })),
  }),
  fault('health-drops-connection', {
    about: 'Who asks for /health loses the connection.',
    breaks: ['agent.health'],
    patch: onPath('/health', () => ({ ...plainReply(200, 'ok'), fate: 'reset' })),
  }),
];

/** Defects of an agent of the Terminal Bench dialect. */
const hybrids = [
  fault('send-answers-with-message', {
    about: 'Every send is answered with a message.',
    breaks: ['send.always-task'],
    patch: () => ({ script: () => ({ reply: 'message', afterMs: 5, parts: [{ kind: 'text', text: 'Yes.' }] }) }),
  }),
  fault('send-answers-before-work', {
    about: 'A send is answered before the work is begun, however short it is.',
    breaks: ['send.completes-at-once'],
    patch: () => ({ patience: () => 0 }),
  }),
  fault('send-missing-message-id-is-internal-error', {
    about: 'A message without messageId breaks the agent.',
    breaks: ['send.message-id-optional'],
    patch: refusingSend(lacksMessageId, 'InternalError'),
  }),
  fault('send-missing-message-id-hangs', {
    about: 'A message without messageId is never answered.',
    breaks: ['send.message-id-optional'],
    patch: onReply('endpoint', (reply, request) =>
      lacksMessageId(member(peek(request), 'params')) ? { ...reply, fate: 'hang' } : reply,
    ),
  }),
  fault('follow-up-reopens-task', {
    about: 'A message that references a task starts that task again.',
    breaks: ['send.follow-up'],
    patch: (inner) => ({
      create(message) {
        const made = inner.create(message);
        const [id = made.id] = message.referenceTaskIds ?? [];
        return { ...made, id };
      },
    }),
  }),
  fault('follow-up-adds-to-old-task', {
    about: 'An artifact of a follow-up is put into the task that it references.',
    breaks: ['send.follow-up'],
    patch: (inner, { store }) => ({
      create(message) {
        for (const id of message.referenceTaskIds ?? []) {
          const old = store.get(id);
          if (old === undefined) continue;
          const added = {
            artifactId: `more-${id}`,
            name: 'more',
            parts: [{ kind: 'text', text: 'And more.' }],
          } as const;
          store.put({ ...old, artifacts: [...(old.artifacts ?? []), added] });
        }
        return inner.create(message);
      },
    }),
  }),
  fault('cancel-refuses-reason', {
    about: 'A cancel with a reason is refused.',
    breaks: ['cancel.reason-accepted'],
    patch: refusingReason('InvalidParams'),
  }),
  fault('cancel-reason-is-internal-error', {
    about: 'A cancel with a reason breaks the agent.',
    breaks: ['cancel.reason-accepted'],
    patch: refusingReason('InternalError'),
  }),
];

/** Defects of an agent of 0.2. */
const older = [
  fault('send-output-modes-missing-is-internal-error', {
    about: 'A configuration without acceptedOutputModes breaks the agent.',
    breaks: ['send.output-modes-required'],
    patch: refusingSend(lacksModes, 'InternalError'),
  }),
  fault('send-output-modes-missing-hangs', {
    about: 'A configuration without acceptedOutputModes is never answered.',
    breaks: ['send.output-modes-required'],
    patch: onReply('endpoint', (reply, request) =>
      lacksModes(member(peek(request), 'params')) ? { ...reply, fate: 'hang' } : reply,
    ),
  }),
];

export const dialectFaults = [...cards, ...hybrids, ...older];
