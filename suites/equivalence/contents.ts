import { check, eachPair, type FilePart, type Message } from '../../src/kit/index.js';
import { keptAlike, probes } from './probes.js';
import { asJudged, interfaces } from './sides.js';

// A2A 1.0 §5.1, 0.3 §3.4.1: what a client sends over one binding is the same over each other one.

const files = ({ parts }: Message): readonly FilePart[] => parts.filter((part) => part.kind === 'file');

const kept =
  (part: (message: Message) => unknown) =>
  async (scene: {
    readonly interfaces: Parameters<typeof eachPair>[0];
    readonly probes: Parameters<typeof keptAlike>[0];
  }) =>
    eachPair(scene.interfaces, (pair) => keptAlike(scene.probes, pair, part));

export const text = check('equivalence/text', 'equivalence.text')
  .given('interfaces', interfaces)
  .given('probes', probes)
  .when(
    'the client looks for its text in the history over each',
    kept(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))),
  )
  .expects('show every character as it was sent', asJudged)
  .advice('Keep texts as they come: no normalization, no other encoding, no cut at a control character.')
  .killedBy('equivalence-text-composed', 'equivalence-text-cut-on-arrival');

export const values = check('equivalence/values', 'equivalence.values')
  .given('interfaces', interfaces)
  .given('probes', probes)
  .when(
    'the client looks for its data and metadata in the history over each',
    kept(({ parts, metadata }) => ({
      metadata: metadata?.['probe'] === undefined ? {} : { probe: metadata['probe'] },
      parts: parts.flatMap((part) => (part.kind === 'data' ? [{ data: part.data }] : [])),
    })),
  )
  .expects('show every value as it was sent', asJudged)
  .advice('Carry data and metadata as JSON values, or as google.protobuf.Struct and Value: null and 0 are values.')
  .killedBy('equivalence-numbers-as-text', 'equivalence-nulls-lost');

export const bytes = check('equivalence/bytes', 'equivalence.bytes')
  .given('interfaces', interfaces)
  .given('probes', probes)
  .when(
    'the client looks for its file in the history over each',
    kept((message) => files(message).map((one) => ({ bytes: one.bytes }))),
  )
  .expects('show the octets that were sent', asJudged)
  .advice('JSON has base64 and gRPC has the octets: encode once, and not again on the way between them.')
  .killedBy('equivalence-bytes-encoded-twice');

export const mediaType = check('equivalence/media-type', 'equivalence.message-members', 'equivalence.bytes')
  .given('interfaces', interfaces)
  .given('probes', probes)
  .when(
    'the client looks for the media type of its file over each',
    kept((message) => files(message).map((one) => ({ mediaType: one.mediaType }))),
  )
  .expects('show the type that was sent', asJudged)
  .advice('Copy the media type of each part in the code of every binding.')
  .killedBy('equivalence-media-type-lost');

export const members = check('equivalence/message-members', 'equivalence.message-members')
  .given('interfaces', interfaces)
  .given('probes', probes)
  .when(
    'the client looks for file names, extensions, references and metadata of parts over each',
    kept((message) => ({
      extensions: message.extensions,
      referenceTaskIds: message.referenceTaskIds,
      parts: message.parts.map((part) => ({
        metadata: part.metadata,
        ...(part.kind === 'file' ? { name: part.name } : {}),
      })),
    })),
  )
  .expects('show each member as it was sent', asJudged)
  .advice(
    'Copy every member of messages and parts in the code of each binding, also those that the agent does not use.',
  )
  .killedBy('equivalence-members-lost');
