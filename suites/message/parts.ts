import {
  accepted,
  brief,
  check,
  codeIs,
  describe,
  difference,
  type FilePart,
  fileFor,
  inconclusive,
  type Judgement,
  type Message,
  mediaRefused,
  type Outcome,
  type Part,
  type Scene,
  type SendReply,
  sendingBytes,
  sendQuick,
  source,
  unlistedFile,
  withText,
} from '../../src/kit/index.js';
import { blamesShape, inTime, oddValues, plain, sendPlain, shownOf, taken } from './sends.js';

// A2A 1.0 §4.1.6 Part; 0.3 §6.5 Part Union Type, §6.6 FileBase, §8.2 ContentTypeNotSupported.

const unsupported = 'ContentTypeNotSupported';

// In our words (1.0, 4.1.6 Part): Parts with text, raw, url and data are all parsed.
export const text = check('message/text-part', 'send.part-forms')
  .when('the client sends a text part', ({ use }) => use(plain))
  .expects('accept it', (outcome): Judgement => {
    // No simpler request can show that another refusal is about the shape.
    if (outcome.kind !== 'refusal' || blamesShape(outcome)) return accepted(outcome);
    return inconclusive(`the agent refused the message for another reason than its shape: ${describe(outcome)}`);
  })
  .advice('Check what the parser reads: {"kind": "text", "text": "…"} in 0.2 and 0.3, {"text": "…"} in 1.0.');

const sendingUri = source('a file part with a uri', (scene: Scene) => {
  const { name, mediaType } = fileFor(scene);
  return withText(scene, { kind: 'file', uri: 'https://example.com/', name, mediaType });
});
/** Letters of three scripts, beyond the basic plane, in two pieces, and signs that other formats escape. */
const letters: Part = {
  kind: 'text',
  text: 'Zürich, e\u0301 ﬁ, 日本, שלום, 🙂 👩\u200d💻, <b>&amp;</b> "%20\\n" \t\n.',
};
const dataValues = { greeting: { words: ['hello', 'world'] }, ...oddValues };
const withData = source('a text and a data part', (scene: Scene) =>
  withText(scene, letters, { kind: 'data', data: dataValues }),
);

/** An agent may refuse such a part. message/part-refusal judges the error code for all kinds of parts. */
const isRefusedAsInvalid = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refusal' && (outcome.error === 'InvalidParams' || outcome.error === 'InvalidRequest');

const parsed = (outcome: Outcome<unknown>, scene: Scene): Judgement | Promise<Judgement> =>
  isRefusedAsInvalid(outcome)
    ? inconclusive(`the agent may accept no part of this kind: ${describe(outcome)}`)
    : taken(outcome, scene, unsupported);

// In our words (1.0, 4.1.6 Part): Parts with text, raw, url and data are all parsed.
export const fileBytes = check('message/file-bytes', 'send.part-forms')
  .when('the client sends a file part with bytes', async ({ use }) => (await use(sendingBytes)).outcome)
  .expects('accept it, or refuse it as unsupported', parsed)
  .advice('Read file.bytes (1.0: raw of the part) as base64. The name and the media type beside it may be missing.');

// In our words (1.0, 4.1.6 Part): Parts with text, raw, url and data are all parsed.
export const fileUri = check('message/file-uri', 'send.part-forms')
  .when('the client sends a file part with a uri', async ({ use }) => (await use(sendingUri)).outcome)
  .expects('accept it, or refuse it as unsupported', (outcome, scene): Judgement | Promise<Judgement> => {
    if (outcome.kind === 'refusal' && outcome.error === 'InternalError') {
      return inconclusive(`the agent may have tried to fetch https://example.com/: ${describe(outcome)}`);
    }
    return parsed(outcome, scene);
  })
  .advice(
    'Read file.uri (1.0: url of the part), or refuse links as ContentTypeNotSupported. A link that cannot be fetched fails the task, not the call.',
  );

/** An agent that takes the same data without its null does take data, so that null is what it refuses. */
async function nullRefused(outcome: Outcome<unknown>, scene: Scene): Promise<Judgement> {
  if (outcome.kind !== 'refusal') return undefined;
  const { nothing, ...others } = dataValues;
  const without = await withText(scene, letters, { kind: 'data', data: others });
  return without.outcome.kind === 'result'
    ? `data with ${brief({ nothing })} get ${describe(outcome)}; without it they are accepted`
    : undefined;
}

// In our words (1.0, 4.1.6 Part): Parts with text, raw, url and data are all parsed.
export const data = check('message/data-part', 'send.part-forms')
  .when('the client sends a data part', async ({ use }) => (await use(withData)).outcome)
  .expects(
    'accept it, or refuse it as unsupported',
    async (outcome, scene) => (await nullRefused(outcome, scene)) ?? parsed(outcome, scene),
  )
  .advice(
    'Read every kind of part, and refuse one that you do not take as ContentTypeNotSupported (-32005): it must not cause an internal error.',
  );

// In our words (1.0, 4.1.6 Part): `data` may be any JSON value.
export const dataAnyJson = check('message/data-any-json', 'send.data-any-json')
  .given('object', withData)
  .when('the data of a part are an array, a number, a text and a boolean', (scene) => {
    const message = scene.say();
    const others = [[1, 'two', null], 3, 'four', true].map((value) => ({ kind: 'data', data: value }) as const);
    return sendQuick(scene, { ...message, parts: [...message.parts, ...others] });
  })
  .expects('accept them, or refuse them as ContentTypeNotSupported', (outcome, scene) =>
    // An agent that refuses an object takes no data at all.
    isRefusedAsInvalid(scene.object.outcome) ? parsed(outcome, scene) : taken(outcome, scene, unsupported),
  )
  .advice('Since 1.0 the data of a part are any JSON value, not only an object.');

// In our words (0.3, 6.4 Message Object): A message with several parts of different kinds is accepted.
export const mixed = check('message/mixed-parts', 'send.mixed-parts')
  .when('the client sends a text and a data part in one message', async ({ use }) => (await use(withData)).outcome)
  .expects('accept both, or refuse one as unsupported', parsed)
  .advice(
    'Go through all entries of parts: a message may have several kinds. Refuse a kind that you do not take as ContentTypeNotSupported (-32005).',
  );

/** The first outcome that is refused as a wrong shape; else the first that is not a result; else the first. */
const partsSent = source('files and data', async (scene: Scene): Promise<Outcome<SendReply>> => {
  const sends = [await scene.use(sendingBytes), await scene.use(sendingUri), await scene.use(withData)] as const;
  const all = sends.map(({ outcome }) => outcome);
  return all.find(isRefusedAsInvalid) ?? all.find(({ kind }) => kind !== 'result') ?? sends[0].outcome;
});

const shownAgain = source('messages with letters, data and a file', async (scene: Scene) => {
  const sends = [await scene.use(withData), await scene.use(sendingBytes)];
  return Promise.all(
    sends.map(async (send) => {
      const found = await shownOf(scene, send);
      return typeof found === 'string'
        ? { sent: send.message, shown: undefined, why: found }
        : { sent: send.message, shown: found, why: undefined };
    }),
  );
});
type Shown = Awaited<ReturnType<(typeof shownAgain)['find']>>;

/** Why no message that holds such a thing was seen again. */
const unshown = (what: string, all: Shown): Judgement => {
  const why = all.find((read) => read.why !== undefined)?.why;
  return inconclusive(`no history shows a message that holds ${what}${why === undefined ? '' : `: ${why}`}`);
};

/** Compares what messages hold with what the history shows of it. */
const asSent =
  (what: string, hold: (message: Message) => readonly unknown[]) =>
  (all: Shown): Judgement => {
    const seen = all.flatMap(({ sent, shown }) =>
      shown === undefined || hold(sent).length === 0 ? [] : [difference(hold(sent), hold(shown))],
    );
    if (seen.length === 0)
      return unshown(
        what,
        all.filter(({ sent }) => hold(sent).length > 0),
      );
    const changed = seen.find((difference) => difference !== undefined);
    if (changed === undefined) return undefined;
    const place = changed.path.replace(/^\[\d+\]\.?/, '') || what;
    return `${place}: ${changed.right ?? 'nothing'} is shown, and ${changed.left ?? 'nothing'} was sent`;
  };
const filesIn = ({ parts }: Message): readonly FilePart[] => parts.filter((part) => part.kind === 'file');
/** A file may be kept elsewhere, and shown as a link. */
const hasLink = ({ shown }: Shown[number]): boolean =>
  shown !== undefined && filesIn(shown).some(({ uri }) => uri !== undefined);

/** Another type may be the one that the agent has found; none is one that was lost. */
function typeKept(all: Shown): Judgement {
  const seen = all.flatMap(({ sent, shown }) => {
    const [file] = filesIn(sent);
    const [again] = shown === undefined ? [] : filesIn(shown);
    return file === undefined || again === undefined ? [] : [{ file, again }];
  });
  const lost = seen.find(({ again }) => again.mediaType === undefined);
  if (lost !== undefined) return `its file has no media type, and was sent with ${lost.file.mediaType}`;
  return seen.length === 0
    ? unshown(
        'a file',
        all.filter(({ sent }) => filesIn(sent).length > 0),
      )
    : undefined;
}

// In our words (1.0, 3.7 Messages and Artifacts): A message that the history shows is the one that was sent: the same
//   letters, data and octets, and a media type where the file had one.
export const shownAsSent = check('message/shown-as-sent', 'send.shown-as-sent')
  .given('shown', shownAgain)
  .when('the client reads the history of its messages', async ({ shown }) => shown)
  .expects(
    'show every letter',
    asSent('text', ({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []))),
  )
  .expects(
    'all data',
    asSent('data', ({ parts }) => parts.flatMap((part) => (part.kind === 'data' ? [{ data: part.data }] : []))),
  )
  .expects('the octets', (all) =>
    asSent('a file', (message) => filesIn(message).map(({ bytes }) => ({ bytes })))(
      all.filter((read) => !hasLink(read)),
    ),
  )
  .expects('the media type of the file', typeKept)
  .expects('the role user', (all): Judgement => {
    const other = all.find(({ shown }) => shown !== undefined && shown.role !== 'user');
    return other?.shown && `the message ${other.shown.messageId} is of the role ${other.shown.role}`;
  })
  .advice(
    'Keep what comes: texts in Unicode from end to end, data as JSON values (null, 0 and {} are values), octets encoded in base64 once, and the media type beside them.',
  );

// In our words (1.0, 4.1.6 Part): A file in the history has the name under which it was sent.
export const fileNameShown = check('message/file-name-shown', 'send.file-name-shown')
  .given('shown', shownAgain)
  .when('the client reads the history of a message with a file', async ({ shown }) => shown)
  .expects(
    'show its name',
    asSent('a file', (message) => filesIn(message).map(({ name }) => ({ name }))),
  )
  .advice('Copy the name of a file (filename in 1.0) wherever parts are converted.');

// In our words (1.0, 3.1.1 Send Message): A part of a kind that the agent does not take is refused with
//   ContentTypeNotSupportedError.
export const partRefusal = check('message/part-refusal', 'send.part-refusal-code')
  .when('the client sends files and data, each with a text', ({ use }) => use(partsSent))
  .expects('accept each, or refuse it as ContentTypeNotSupported', (outcome, scene) =>
    taken(outcome, scene, unsupported),
  )
  .advice('Refuse parts that you do not take with -32005: -32602 says that the client has a defect, and it has none.');

// In our words (1.0, 3.1.1 Send Message): Parts of a media type the agent does not support are refused with
//   ContentTypeNotSupportedError.
export const unsupportedMedia = check('message/unsupported-media', 'send.unsupported-media')
  .when(
    'the client sends a file of an undeclared media type',
    async (scene) => (await withText(scene, unlistedFile(scene))).outcome,
  )
  // An agent may accept more types than its card lists: a result is not a failure.
  .expects('refuse it as ContentTypeNotSupported', (outcome, scene) =>
    mediaRefused(inTime(codeIs('ContentTypeNotSupported'))(outcome), outcome, scene),
  )
  .butAccepts('the same text without the file', sendPlain)
  .advice(
    'Compare the type of each part with what the agent takes, and answer -32005 (reason CONTENT_TYPE_NOT_SUPPORTED).',
  );
