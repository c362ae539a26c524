import { methodOf } from '../../dialect/index.js';
import type { Reply } from '../calls.js';
import { lacking, onResult } from '../edits.js';
import { type Fault, fault } from '../fault.js';
import { methodIn } from '../http.js';
import type { Patch } from '../seams.js';

const on = 'extended-card';
const refusingBare =
  (failure: 'InvalidParams' | 'InvalidRequest' | 'ParseError'): Patch =>
  (inner) => ({
    problems: (op, wire) =>
      op === 'extendedCard' && wire === undefined
        ? [{ path: 'params', about: 'params are missing', failure }]
        : inner.problems(op, wire),
  });
/** Answers requests for the extended card, though the card declares none. */
const undeclared =
  (answer: Patch): Patch =>
  (inner, world, whole) => ({
    ...answer(inner, world, whole),
    operation(method) {
      return method === world.dialect.operations.extendedCard?.rpc ? 'extendedCard' : inner.operation(method);
    },
  });

export const cardExtendedFaults: readonly Fault[] = [
  fault('extended-card-null', {
    about: 'The extended card is null.',
    breaks: ['card.extended-returned'],
    on,
    patch: onResult('extendedCard', () => null),
  }),
  fault('extended-card-empty', {
    about: 'The extended card is an empty object.',
    breaks: ['card.extended-returned', 'card.extended-structure'],
    on,
    patch: onResult('extendedCard', () => ({})),
  }),
  fault('extended-card-missing', {
    about: 'The card declares an extended card, and the method does not exist.',
    breaks: ['card.extended-returned'],
    notOver: ['a2a-0.3-grpc'],
    on,
    patch: lacking('extendedCard'),
  }),
  fault('extended-card-wants-params', {
    about: 'The extended card is refused for want of params.',
    breaks: ['rpc.params-omitted'],
    on,
    patch: refusingBare('InvalidParams'),
  }),
  fault('extended-card-blames-request', {
    about: 'A request without params is no request.',
    breaks: ['rpc.params-omitted'],
    on,
    patch: refusingBare('InvalidRequest'),
  }),
  fault('extended-card-bare-unparsed', {
    about: 'A request for the extended card without params is called a parse error.',
    breaks: ['rpc.params-omitted'],
    on,
    patch: refusingBare('ParseError'),
  }),
  fault('extended-card-refuses-params', {
    about: 'Whoever asks for the extended card with params, empty ones too, is refused.',
    breaks: ['rpc.params-empty'],
    on,
    patch: (inner) => ({
      problems: (op, wire) =>
        op === 'extendedCard' && wire !== undefined
          ? [{ path: 'params', about: 'there are no params', failure: 'InvalidParams' }]
          : inner.problems(op, wire),
    }),
  }),
  fault('extended-card-undeclared', {
    about: 'There is an extended card, of which the card says nothing.',
    breaks: ['card.extended-unsupported'],
    patch: undeclared((inner) => ({
      execute: async (command, call) =>
        command.op === 'extendedCard' ? { op: 'extendedCard', result: inner.card() } : inner.execute(command, call),
    })),
  }),
  fault('extended-card-crashes', {
    about: 'Asking for an extended card that is not declared ends in a bare status 500.',
    breaks: ['card.extended-unsupported'],
    patch: (inner, { dialect }) => {
      const crashed: Reply = {
        status: 500,
        headers: [['content-type', 'text/plain']],
        body: 'Internal server error\n',
      };
      const isUndeclared = (reply: Reply): boolean => String(reply.body).includes('Extended Card not configured');
      return {
        async serveRpc(request) {
          const reply = await inner.serveRpc(request);
          const asked = methodIn(request) === methodOf(dialect, 'extendedCard');
          return asked || isUndeclared(reply) ? crashed : reply;
        },
        // 0.2 fetches it by a plain GET.
        async serveExtendedCard(request) {
          const reply = await inner.serveExtendedCard(request);
          return isUndeclared(reply) ? crashed : reply;
        },
      };
    },
  }),
];
