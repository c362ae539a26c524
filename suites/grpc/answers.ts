import {
  brief,
  hasGrpcType,
  header,
  inconclusive,
  isGrpcCall,
  isObject,
  isPartOf10,
  law,
  stringMember,
} from '../../src/kit/index.js';
import { eachAnswer } from './calls.js';

// A2A 1.0 §10.1 Protocol Requirements, §10.3 Service Definition; 0.3 §3.2.2 gRPC Transport, and what they rest on:
// grpc/doc/PROTOCOL-HTTP2.md, and the encoding of protobuf.

const noAnswer = { otherwise: 'the agent answered no call of gRPC' };

/** Statuses of HTTP with which a gateway answers in the place of the agent. */
const ofGateways: ReadonlySet<number> = new Set([401, 403, 407, 408, 429, 502, 503, 504]);

// In our words (1.0, 10.1 Protocol Requirements): Answers of gRPC have HTTP status 200 and a content type of gRPC.
export const contentType = law(
  'grpc/content-type',
  'grpc.content-type',
  'have HTTP status 200 and a content type of gRPC, when the call is well-formed',
  {
    ...noAnswer,
    advice:
      'Errors of gRPC come under HTTP 200 as well, with content-type: application/grpc, and grpc-status carries the error.',
  },
  (reading, target) => {
    const { exchange, operation, valid } = reading;
    const { response } = exchange;
    if (!isGrpcCall(reading, target) || !valid || operation === undefined) return 'not-concerned';
    if (response === undefined || ofGateways.has(response.status)) return 'not-concerned';
    if (response.status !== 200) return `the status is HTTP ${response.status}`;
    if (hasGrpcType(response.headers)) return 'holds';
    return `the content type is ${header(response.headers, 'content-type') ?? 'missing'}`;
  },
);

// In our words (1.0, 10.1 Protocol Requirements): A unary call that succeeds is answered by exactly one message.
export const oneMessage = law(
  'grpc/one-message',
  'grpc.one-message',
  'hold exactly one message, when a call without a stream has the status OK',
  {
    otherwise: 'set behaviours.completed: no call without a stream had the status OK',
    advice: 'Send the message before the status OK, an empty one too: it has a prefix of five bytes.',
  },
  eachAnswer(({ streams, isWhole, end, messages, isTruncated }, { valid }) => {
    if (streams || !isWhole || !valid || end.code !== 0) return 'not-concerned';
    if (isTruncated) return 'the body ends inside a message';
    return messages.length === 1 ? 'holds' : `it has ${messages.length === 0 ? 'none' : messages.length}`;
  }),
);

// In our words (1.0, 10.1 Protocol Requirements): Every call ends with a gRPC status.
export const status = law(
  'grpc/status',
  'grpc.status',
  'end with grpc-status, a number from 0 to 16',
  { ...noAnswer, advice: 'Send grpc-status in the trailers after the last message; a library of gRPC does so itself.' },
  eachAnswer(({ isWhole, end, last }, { exchange }) => {
    if (!isWhole) return 'not-concerned';
    if (end.code !== undefined) return 'holds';
    if (end.rawStatus !== undefined) return `grpc-status is ${brief(end.rawStatus)}`;
    const early = header(exchange.response?.headers ?? [], 'grpc-status') !== undefined && last.length === 0;
    return early ? 'grpc-status came in the headers, before the body' : 'no grpc-status came';
  }),
);

// In our words (1.0, 10.1 Protocol Requirements): The bytes of an answer decode as the message that the RPC declares.
export const decodes = law(
  'grpc/decodes',
  'grpc.decodes',
  'hold bytes that can be read as the message of the RPC',
  {
    otherwise: 'no message came',
    advice: 'Generate the code from the proto file of the version, and compress nothing that the client cannot read.',
  },
  eachAnswer(({ messages }) => {
    if (messages.length === 0) return 'not-concerned';
    const at = messages.findIndex((message) => 'fault' in message);
    const found = messages[at];
    if (found === undefined || !('fault' in found)) return 'holds';
    const what = `message ${at + 1}: ${found.fault}`;
    return found.isLimit === true ? inconclusive(what) : what;
  }),
);

// In our words (1.0, 5.6.1 Timestamps): Timestamps are valid.
export const timestamps = law(
  'grpc/timestamps',
  'grpc.timestamps',
  'hold times within the years 1 to 9999, and nanoseconds from 0 to 999999999',
  {
    otherwise: 'no message came',
    advice: 'A google.protobuf.Timestamp has whole seconds since 1970, and nanoseconds for the rest of the second.',
  },
  eachAnswer(({ messages }) => {
    const read = messages.flatMap((message) => ('fault' in message ? [] : [message]));
    if (read.length === 0) return 'not-concerned';
    const bad = read.flatMap(({ badTimes }) => badTimes);
    return bad.length === 0 ? 'holds' : `${bad.slice(0, 5).join(', ')}: no time`;
  }),
);

/** The artifacts in a document; metadata and data are not searched. */
function artifactsIn(document: unknown): readonly Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  const waiting: unknown[] = [document];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (Array.isArray(value)) waiting.push(...value.slice(0, 1000));
    if (!isObject(value)) continue;
    const { artifacts, artifact, task, artifactUpdate } = value;
    const own: readonly unknown[] = [...(Array.isArray(artifacts) ? artifacts : []), artifact];
    found.push(...own.filter(isObject));
    waiting.push(...[task, artifactUpdate].filter(isObject));
  }
  return found;
}

// In our words (0.3, 3.2.2 gRPC Transport): Answers hold the messages of 0.3, not those of 1.0.
/** The fields of an Artifact have other numbers in 1.0: the parts of one stand where the description of the other does. */
export const ownMessages = law(
  'grpc/own-messages',
  'grpc.own-messages',
  'hold messages of 0.3, not those of 1.0',
  {
    otherwise: 'set behaviours.artifact-text: no artifact came',
    advice: 'Serve a2a.v1 with the code of its own proto file: the fields of an Artifact have other numbers in 1.0.',
  },
  eachAnswer((_, { replies }) => {
    const artifacts = replies.flatMap(({ value }) => artifactsIn(value));
    if (artifacts.length === 0) return 'not-concerned';
    const odd = artifacts.find(({ description }) => typeof description === 'string' && isPartOf10(description));
    return odd === undefined
      ? 'holds'
      : `the description of an artifact is a part in the form of 1.0: ${brief(odd, 120)}`;
  }),
);

// In our words (0.3, 7.5 tasks/pushNotificationConfig/set): A config is named tasks/{id}/pushNotificationConfigs/{id}.
export const configName = law(
  'grpc/config-name',
  'grpc.config-name',
  'name a push config tasks/{id}/pushNotificationConfigs/{id}',
  {
    otherwise: 'no push config came',
    advice: 'Write the full name, tasks/{id}/pushNotificationConfigs/{id}: clients read and delete the config by it.',
  },
  eachAnswer((_, { operation, outcome, replies }) => {
    if ((operation !== 'pushSet' && operation !== 'pushGet') || outcome.kind !== 'result') return 'not-concerned';
    const name = stringMember(replies[0]?.value, 'name');
    return /^tasks\/[^/]+\/pushNotificationConfigs\/[^/]+$/.test(name ?? '') ? 'holds' : `the name is ${brief(name)}`;
  }),
);
