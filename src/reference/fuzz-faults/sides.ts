import type { BindingId, ProfileId } from '../../dialect/index.js';
import type { ErrorName } from '../../model/index.js';
import type { Command } from '../calls.js';
import { RpcFailure } from '../failure.js';
import { cameOver } from '../one-side.js';
import type { Patch } from '../seams.js';
import { type FuzzFault, fuzzFault } from './fuzz-fault.js';

const profiles: readonly [ProfileId, ...ProfileId[]] = ['a2a-1.0', 'a2a-0.3'];

/** Refuses commands that come over one binding. */
const refusing =
  (binding: BindingId, when: (command: Command) => boolean, error: ErrorName): Patch =>
  (inner) => ({
    execute(command, call) {
      if (cameOver(call.request, binding) && when(command)) throw new RpcFailure(error);
      return inner.execute(command, call);
    },
  });

const partsOf = (command: Command) => (command.op === 'send' ? command.params.message.parts : []);
const isBeyondAscii = (text: string): boolean => Buffer.byteLength(text) > text.length;

const oneSided = (
  id: `fuzz-sides-${string}`,
  definition: Omit<FuzzFault, 'id' | 'profiles' | 'on' | 'seenBy'>,
): FuzzFault => fuzzFault(id, { ...definition, profiles, on: 'all-bindings', seenBy: ['bindings'] });

/** Faults of agents with several bindings: one of them does otherwise, for inputs that no check sends. */
export const sideFaults = [
  oneSided('fuzz-sides-text-over-grpc', {
    about: 'Over gRPC a message with letters beyond ASCII is refused.',
    patch: refusing(
      'grpc',
      (command) => partsOf(command).some((part) => part.kind === 'text' && isBeyondAscii(part.text)),
      'InvalidParams',
    ),
  }),
  oneSided('fuzz-sides-history-over-rest', {
    about: 'Over HTTP+JSON a reading is refused where ten messages of its history or more are asked for.',
    patch: refusing(
      'http+json',
      (command) => command.op === 'get' && (command.params.historyLength ?? 0) >= 10,
      'InvalidParams',
    ),
  }),
  oneSided('fuzz-sides-data-over-rest', {
    about: 'Over HTTP+JSON a message with data is refused for its media type.',
    patch: refusing(
      'http+json',
      (command) => partsOf(command).some(({ kind }) => kind === 'data'),
      'ContentTypeNotSupported',
    ),
  }),
  oneSided('fuzz-sides-metadata-over-grpc', {
    about: 'Over gRPC a message with metadata is an internal error.',
    patch: refusing(
      'grpc',
      (command) =>
        command.op === 'send' && Object.keys((command.params.message.metadata as object | undefined) ?? {}).length > 0,
      'InternalError',
    ),
  }),
  oneSided('fuzz-sides-references-over-rest', {
    about: 'Over HTTP+JSON a message that refers to other tasks is refused, since one of them is not found.',
    patch: refusing(
      'http+json',
      (command) => command.op === 'send' && (command.params.message.referenceTaskIds ?? []).length > 0,
      'TaskNotFound',
    ),
  }),
];
