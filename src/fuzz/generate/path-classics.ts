import type { Operation } from '../../model/index.js';
import type { CallStep, Step, WireMutation } from '../case/case.js';
import { makeWireMutation } from '../mutate/wire-mutations.js';
import { type Probe, type ProbeTools, withWireMutation } from './probes.js';
import type { RandomSource } from './random-source.js';
import { callOf, reference } from './scripting.js';

// Paths, queries and verbs on which agents fail most often, and such requests between two looks at a task. Only for
// bindings in which they name the operation.

const inId = (text: string, times = 1): WireMutation => ({ trick: 'path', from: 1, put: 'id', text, times });
const asSegment = (text: string): WireMutation => ({ trick: 'path', from: 1, put: 'segment', text, times: 1 });
const parameters = (text: string): WireMutation => ({ trick: 'parameters', text, times: 1 });

/** On a reading, which costs the agent least. */
const onRead: readonly WireMutation[] = [
  ...['%00', '%zz', '%2F..%2Ftck', '%2500%25', '%F0%9F%99%82', '::', ':cancel'].map((text) => inId(text)),
  inId('a', 400),
  ...['', '..', '%2e%2e'].map(asSegment),
  { trick: 'path', from: 1, put: 'after', text: '/', times: 1 },
  ...['1&historyLength=2', '', '%', '+1', '9'.repeat(20)].map((value) => parameters(`historyLength=${value}`)),
  parameters('historyLength[]=1'),
  parameters('__proto__=1'),
  { trick: 'override', name: 'X-HTTP-Method-Override', verb: 'DELETE' },
  { trick: 'override', name: 'X-HTTP-Method', verb: 'TCK' },
  { trick: 'verb', name: 'TCK', body: false },
  { trick: 'verb', name: 'PUT', body: true },
  { trick: 'unasked-body', text: '{}' },
];
/** On a request with a body. */
const onWrite: readonly WireMutation[] = [
  ...['application/x-www-form-urlencoded', 'application/json; charset=latin1', 'text/json'].map((type) => ({
    trick: 'media-type',
    type,
  })),
  inId('%2F'),
  { trick: 'body', text: '' },
];

export function pathClassics(operations: readonly Operation[], { dialect, valid }: ProbeTools): readonly Probe[] {
  if (dialect.binding.requests !== 'paths') return [];
  const probe = (operation: Operation, trick: WireMutation): Probe => ({
    operations: [operation],
    make: (randomSource, op, names) => withWireMutation(valid(randomSource, op, names), trick),
  });
  const of = (operation: Operation, tricks: readonly WireMutation[]): readonly Probe[] =>
    operations.includes(operation) ? tricks.map((trick) => probe(operation, trick)) : [];
  return [...of('get', onRead), ...of('cancel', onWrite)];
}

/** What may lead an agent to another operation on the same task, or leave it in the middle of one. */
const leading = {
  paths: ['override', 'override', 'verb', 'path', 'path-spelling'],
  messages: ['resets', 'resets', 'frame-cut', 'frame-length', 'frame-flag', 'message-end', 'bad-utf8', 'grpc-method'],
} as const;
const aimed: readonly Operation[] = ['get', 'get', 'cancel', 'subscribe', 'pushList', 'pushGet', 'pushDelete'];

/** Steps after one that began the task `a`: two looks at it, and between them requests that go astray. */
export function astray(
  randomSource: RandomSource,
  operations: readonly Operation[],
  { dialect, maxBytes, valid }: Pick<ProbeTools, 'dialect' | 'maxBytes' | 'valid'>,
): readonly Step[] {
  const usable = aimed.filter((text) => operations.includes(text));
  const { requests: form } = dialect.binding;
  if (usable.length === 0 || !operations.includes('get') || form === 'envelopes') return [];
  const look = callOf({ dialect }, 'get', { id: reference('a.task') });
  const requests = Array.from({ length: 1 + randomSource.below(2) }, (): CallStep => {
    const step = valid(randomSource, randomSource.pick(usable), ['a']);
    const tools = { randomSource, maxBytes: Math.min(maxBytes, 4096), objects: ['/params'] };
    return withWireMutation(step, makeWireMutation(randomSource.pick(leading[form]), tools));
  });
  return [look, ...requests, look];
}
