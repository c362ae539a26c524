import type { Operation } from '../../model/index.js';
import type { WireMutation } from '../case/case.js';
import { messageEndings } from '../mutate/messages.js';
import { isUsable } from '../mutate/wire-mutations.js';
import { type Probe, type ProbeTools, withWireMutation } from './probes.js';

// What servers of gRPC fail over most often. Only for bindings whose requests are messages.

/** On a reading, which costs the agent least. */
const onRead: readonly WireMutation[] = [
  ...messageEndings.map((hex): WireMutation => ({ trick: 'message-end', hex, inside: 0 })),
  { trick: 'message-cut', bytes: 1 },
  { trick: 'message-random', hex: '53656e64204d657373616765' },
  ...['ff', 'eda080'].flatMap((hex): readonly WireMutation[] => [
    { trick: 'bad-utf8', hex, field: 0, inside: 0 },
    { trick: 'bad-utf8', hex, field: 1, inside: 0 },
  ]),
  ...['varint', 'fixed64', 'group'].map((as): WireMutation => ({ trick: 'field-type', field: 1, as, inside: 0 })),
  { trick: 'unknown-fields', number: 1000, as: 'bytes', count: 1, inside: 0 },
  { trick: 'unknown-fields', number: 536_870_911, as: 'group', count: 1, inside: 0 },
  { trick: 'frame-flag', flag: 1, encoding: null },
  { trick: 'frame-flag', flag: 1, encoding: 'gzip' },
  { trick: 'frame-flag', flag: 255, encoding: null },
  ...[1, -1, 2 ** 32 - 1].map((by): WireMutation => ({ trick: 'frame-length', by })),
  ...[0, 2, 50].map((count): WireMutation => ({ trick: 'frame-count', count })),
  { trick: 'frame-tail', hex: '00' },
  { trick: 'frame-cut', keep: 3 },
  { trick: 'metadata', name: 'tck-bin', value: '!!!', times: 1, count: 1 },
  { trick: 'metadata', name: 'tck-bin', value: 'QUFB', times: 500, count: 1 },
  { trick: 'metadata', name: 'grpc-encoding', value: 'tck', times: 1, count: 1 },
  ...['0m', '1', '-1S', '99999999H', '999999999S'].map((value): WireMutation => ({ trick: 'grpc-timeout', value })),
  { trick: 'no-te' },
  { trick: 'grpc-type', type: 'application/grpc+json' },
  { trick: 'grpc-type', type: null },
  { trick: 'grpc-method', service: '/{service}', method: '/NoSuchMethod' },
  { trick: 'grpc-method', service: '/no.such.v1.A2AService', method: '/{method}' },
  { trick: 'resets', count: 10 },
  { trick: 'window', bytes: 1 },
  { trick: 'pieces', bytes: 1 },
];
/** On a message, which has other messages inside it, or on a cancel. */
const onWrite: readonly WireMutation[] = [
  { trick: 'message-end', hex: 'c03eff', inside: 2 },
  { trick: 'bad-utf8', hex: 'ff', field: 0, inside: 2 },
  { trick: 'unknown-fields', number: 1000, as: 'bytes', count: 1, inside: 2 },
  { trick: 'field-repeated', field: 0, times: 2000, inside: 1 },
  { trick: 'field-again', field: 1, inside: 0 },
  { trick: 'field-again', field: 3, inside: 1 },
  { trick: 'field-again', field: 2, inside: 2 },
  { trick: 'deep-struct', levels: 30, of: 'object' },
  { trick: 'deep-struct', levels: 400, of: 'list' },
  { trick: 'deep-struct', levels: 10_000, of: 'list' },
];

export function messageClassics(operations: readonly Operation[], { dialect, valid }: ProbeTools): readonly Probe[] {
  if (dialect.binding.requests !== 'messages') return [];
  const of = (operation: Operation, tricks: readonly WireMutation[]): readonly Probe[] =>
    operations.includes(operation)
      ? tricks
          .filter((trick) => isUsable(trick, dialect, operation))
          .map((trick) => ({
            operations: [operation],
            make: (randomSource, op, names) => withWireMutation(valid(randomSource, op, names), trick),
          }))
      : [];
  return [...of('get', onRead), ...of('send', onWrite)];
}
