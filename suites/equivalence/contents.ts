import {
  check,
  describe,
  eachPair,
  early,
  type FilePart,
  inconclusive,
  type Judgement,
  type Message,
  type Pair,
  type Scene,
} from '../../src/kit/index.js';
import { holdings, isNotTaken, keptAlike, type Probe, probes } from './probes.js';
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

// In our words (1.0, 5.1 Functional Equivalence Requirements): Text is the same on each binding.
export const text = check('equivalence/text', 'equivalence.text')
  .given('interfaces', interfaces)
  .given('probes', probes)
  .when(
    'the client reads a text over each interface',
    kept(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))),
  )
  .expects('show every character unchanged', asJudged)
  .advice('Keep texts as they come: no normalization, no other encoding, no cut at a control character.');

// In our words (1.0, 5.1 Functional Equivalence Requirements): Values of data and metadata are the same on each
//   binding.
export const values = check('equivalence/values', 'equivalence.values')
  .given('interfaces', interfaces)
  .given('probes', probes)
  .when(
    'the client reads data and metadata over each interface',
    kept(({ parts, metadata }) => ({
      metadata: metadata?.['probe'] === undefined ? {} : { probe: metadata['probe'] },
      parts: parts.flatMap((part) => (part.kind === 'data' ? [{ data: part.data }] : [])),
    })),
  )
  .expects('show every value unchanged', asJudged)
  .advice('Carry data and metadata as JSON values, or as google.protobuf.Struct and Value: null and 0 are values.');

// In our words (1.0, 5.1 Functional Equivalence Requirements): Raw bytes are the same on each binding.
export const bytes = check('equivalence/bytes', 'equivalence.bytes')
  .given('interfaces', interfaces)
  .given('probes', probes)
  .when(
    'the client reads a file over each interface',
    kept((message) => files(message).map((file) => ({ bytes: file.bytes }))),
  )
  .expects('show the octets of the message', asJudged)
  .advice('JSON has base64 and gRPC has the octets: encode once, and not again on the way between them.');

// In our words (1.0, 5.1 Functional Equivalence Requirements): filename, mediaType and metadata of parts, extensions
//   and referenceTaskIds are the same on each binding.
// In our words (1.0, 5.1 Functional Equivalence Requirements): Raw bytes are the same on each binding.
export const mediaType = check('equivalence/media-type', 'equivalence.message-members', 'equivalence.bytes')
  .given('interfaces', interfaces)
  .given('probes', probes)
  .when(
    'the client reads a file over each interface',
    kept((message) => files(message).map((file) => ({ mediaType: file.mediaType }))),
  )
  .expects('show the media type of the message', asJudged)
  .advice('Copy the media type of each part in the code of every binding.');

// In our words (1.0, 5.1 Functional Equivalence Requirements): filename, mediaType and metadata of parts, extensions
//   and referenceTaskIds are the same on each binding.
export const members = check('equivalence/message-members', 'equivalence.message-members')
  .given('interfaces', interfaces)
  .given('probes', probes)
  .when(
    'the client reads the members of a message over each interface',
    kept((message) => ({
      extensions: message.extensions,
      referenceTaskIds: message.referenceTaskIds,
      parts: message.parts.map((part) => ({
        metadata: part.metadata,
        ...(part.kind === 'file' ? { name: part.name } : {}),
      })),
    })),
  )
  .expects('show each member unchanged', asJudged)
  .advice(
    'Copy every member of messages and parts in the code of each binding, also those that the agent does not use.',
  );

/** A message that one side takes is sent over the side that refused its like once more. */
async function takenAlike(scene: Scene, all: readonly Probe[], { own, peer }: Pair): Promise<Judgement> {
  const made = [own, peer].map((side) => ({ side, probe: all.find(({ sender }) => sender === side.title) }));
  const [taking, refusing] = made.sort((a, b) => (a.probe?.before.length ?? 0) - (b.probe?.before.length ?? 0));
  const { message, sent, before = [] } = taking?.probe ?? {};
  const refused = refusing?.probe?.before[before.length];
  if (message === undefined || sent?.kind !== 'result') return inconclusive('the agent accepted no message');
  if (refusing === undefined || refused === undefined || refused.kind === 'not-sent') return undefined;
  const again = await refusing.side.client.call('send', {
    message: { ...message, messageId: scene.uuid() },
    configuration: early(scene),
  });
  return isNotTaken(again)
    ? `a message with ${holdings[before.length]} is taken over ${taking?.side.title}, and over ${refusing.side.title} it gets ${describe(again)}`
    : inconclusive(`the agent accepted the message over ${refusing.side.title} when the kit sent it again`);
}

// In our words (1.0, 5.1 Functional Equivalence Requirements): Parts that one binding takes are taken by each other
//   one.
export const partsTaken = check('equivalence/parts-taken', 'equivalence.parts-taken')
  .given('interfaces', interfaces)
  .given('probes', probes)
  .when('the client sends text, data and a file over each interface', async (scene) =>
    eachPair(scene.interfaces, (pair) => takenAlike(scene, scene.probes, pair)),
  )
  .expects('accept the same parts over each', asJudged)
  .advice('Read every kind of part in the code of each binding, and decide behind all of them which are taken.');
