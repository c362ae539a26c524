import {
  type Card,
  describe,
  difference,
  early,
  endedTask,
  inconclusive,
  isTerminal,
  type Judgement,
  type Message,
  type Outcome,
  type Pair,
  type Part,
  PreconditionUnmet,
  type Scene,
  type SendReply,
  type Side,
  settle,
  source,
  type Task,
} from '../../src/kit/index.js';
import { oddValues } from '../message/sends.js';
import { interfaces } from './sides.js';

// One message sent over each interface, and its task read over the others. No rules.

/** Composed and decomposed, of three scripts, beyond the basic plane, joined, and a control character. */
export const probeText = 'Zürich e\u0301 ﬁ 日本 שלום 🙂 👩\u200d💻 \u0007 \t end';

const octets = Buffer.from(Uint8Array.from({ length: 256 }, (_, value) => value)).toString('base64');

/** A type that the agent takes for a file. */
const typeOf = ({ inputModes }: Card): string =>
  inputModes.find(
    (mode) => mode.includes('/') && !mode.includes('*') && !mode.startsWith('text/') && mode !== 'application/json',
  ) ??
  inputModes[0] ??
  'application/octet-stream';

const file = (card: Card): Part => ({
  kind: 'file',
  bytes: octets,
  name: 'octets.bin',
  mediaType: typeOf(card),
  metadata: { page: 1, of: 'probe' },
});

function messages(scene: Scene, { id, contextId }: Task): readonly Message[] {
  const said = scene.say();
  const plain: Message = {
    ...said,
    ...(contextId === undefined ? {} : { contextId }),
    parts: [...said.parts, { kind: 'text', text: probeText }],
    metadata: { ...said.metadata, probe: oddValues },
  };
  const linked: Message = {
    ...plain,
    messageId: scene.uuid(),
    referenceTaskIds: [id],
    extensions: ['https://example.com/extensions/probe/v1'],
  };
  const withData: Message = {
    ...linked,
    messageId: scene.uuid(),
    parts: [...linked.parts, { kind: 'data', data: oddValues, metadata: { schema: 'probe/1' } }],
  };
  const whole: Message = { ...withData, messageId: scene.uuid(), parts: [...withData.parts, file(scene.card)] };
  // In 0.3 not every binding has metadata of parts.
  const bare = (message: Message): Message => ({
    ...message,
    messageId: scene.uuid(),
    parts: message.parts.map(({ metadata: _, ...part }) => part),
  });
  const { metadata: _, ...textOnly } = plain;
  return [whole, bare(whole), bare(withData), plain, { ...textOnly, messageId: scene.uuid() }];
}

/** A message that was sent over one interface, and its task as each interface shows it. */
export interface Probe {
  readonly sender: string;
  /** Undefined: none was taken. */
  readonly message: Message | undefined;
  readonly sent: Outcome<SendReply>;
  /** The outcomes of richer messages that were not taken, in the order of `holdings`. */
  readonly before: readonly Outcome<SendReply>[];
  readonly taskId: string | undefined;
  readonly reads: readonly { readonly reader: string; readonly outcome: Outcome<Task> }[];
}

/** What each of the messages holds, the richest first. */
export const holdings = [
  'a file, data and metadata of parts',
  'a file and data',
  'data and metadata',
  'text and metadata',
  'text',
] as const;

/** A message that was answered, and not taken. */
export const isNotTaken = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refusal' ||
  outcome.kind === 'not-sent' ||
  (outcome.kind === 'invalid-response' && outcome.fault !== 'timeout' && outcome.fault !== 'too-large');

async function probeOver(scene: Scene, { client, title }: Side, near: Task): Promise<Probe> {
  let last: Outcome<SendReply> | undefined;
  const before: Outcome<SendReply>[] = [];
  // Not every agent takes files and data.
  for (const message of messages(scene, near)) {
    last = await client.call('send', { message, configuration: early(scene) });
    if (isNotTaken(last)) {
      before.push(last);
      continue;
    }
    const reply = last.kind === 'result' ? last.value : undefined;
    const taskId = reply?.type === 'task' ? reply.task.id : undefined;
    return { sender: title, message, sent: last, before, taskId, reads: [] };
  }
  if (last === undefined) throw new PreconditionUnmet('the kit sent no message');
  return { sender: title, message: undefined, sent: last, before, taskId: undefined, reads: [] };
}

/** One message over each interface; each task is read when it has settled. */
export const probes = source('the same message sent over each interface', async (scene): Promise<readonly Probe[]> => {
  const { own, peers } = await scene.use(interfaces);
  const near = await scene.use(endedTask);
  const made: Probe[] = [];
  for (const side of [own, ...peers]) {
    const probe = await probeOver(scene, side, near);
    const { taskId, sent } = probe;
    if (taskId === undefined) {
      made.push(probe);
      continue;
    }
    const task = sent.kind === 'result' && sent.value.type === 'task' ? sent.value.task : undefined;
    if (task !== undefined) await settle({ ...scene, client: side.client }, task);
    const reads: Probe['reads'][number][] = [];
    for (const { client, title } of side === own ? [own, ...peers] : [side, own]) {
      reads.push({ reader: title, outcome: await client.call('get', { id: taskId, historyLength: 100 }) });
    }
    made.push({ ...probe, reads });
  }
  return made;
});

/** The reads of a pair: what each of the two sent, as each of the two shows it. */
export const readsOf = (all: readonly Probe[], { own, peer }: Pair) => {
  const titles = [own.title, peer.title];
  return all
    .filter(({ sender }) => titles.includes(sender))
    .flatMap((probe) =>
      probe.reads.filter(({ reader }) => titles.includes(reader)).map((read) => ({ ...read, probe })),
    );
};

/** An ended task that no other chapter looks at. */
export const finishedProbe = source('a finished task', async (scene): Promise<Task> => {
  const [first] = await scene.use(probes);
  const outcome = first?.reads[0]?.outcome ?? first?.sent;
  if (outcome === undefined) throw new PreconditionUnmet('the kit sent no message');
  if (outcome.kind !== 'result' || !('status' in outcome.value))
    throw new PreconditionUnmet(`the message made no task: ${describe(outcome)}`);
  const { state } = outcome.value.status;
  if (!isTerminal(state) || state === 'canceled') {
    throw new PreconditionUnmet(`set behaviours.completed: the task is ${state}`);
  }
  return outcome.value;
});

/**
 * Whether a part of the message is the same however it was sent and read. An agent that changes it in the same way
 * everywhere is alike in every binding.
 */
export function keptAlike(all: readonly Probe[], pair: Pair, part: (message: Message) => unknown): Judgement {
  const seen = readsOf(all, pair).flatMap(({ probe, reader, outcome }) => {
    const shown =
      outcome.kind === 'result'
        ? outcome.value.history?.find(({ messageId }) => messageId === probe.message?.messageId)
        : undefined;
    return probe.message === undefined || shown === undefined
      ? []
      : [{ sender: probe.sender, reader, sent: part(probe.message), shown: part(shown) }];
  });
  const holds = seen.some(({ sent }) => !isNothing(sent));
  if (!holds) return inconclusive(whyUnheld(all, pair, seen.length > 0));
  const changed = seen.filter(({ sent, shown }) => difference(sent, shown) !== undefined);
  const [first] = changed;
  if (first === undefined) {
    const both = [pair.own, pair.peer].every(({ title }) => seen.some(({ reader }) => reader === title));
    return both ? undefined : inconclusive('one of the interfaces does not show the message');
  }
  const isEverywhere =
    changed.length === seen.length && seen.every(({ shown }) => difference(shown, first.shown) === undefined);
  const readers = new Set(seen.map(({ reader }) => reader));
  if (isEverywhere && readers.size > 1) return undefined;
  if (seen.length === changed.length && seen.length < 2) return inconclusive('only one interface shows the message');
  const deviation = difference(first.sent, first.shown);
  const way =
    first.sender === first.reader
      ? `sent and read over ${first.sender}`
      : `sent over ${first.sender} and read over ${first.reader}`;
  return `${blame(pair, seen, changed)}: ${way}, ${deviation?.path === '' ? 'it' : deviation?.path} is ${deviation?.right ?? 'lost'} in place of ${deviation?.left ?? 'nothing'}`;
}

interface Way {
  readonly sender: string;
  readonly reader: string;
}

/** Which of two interfaces changes it: the one over which just that is sent, or read, which is changed; else it may be either. */
function blame({ own, peer }: Pair, seen: readonly Way[], changed: readonly Way[]): string {
  const isJust = (is: (way: Way) => boolean): boolean => seen.every((way) => is(way) === changed.includes(way));
  const blamed = [own, peer].flatMap(({ title }) => {
    if (isJust(({ reader }) => reader === title)) return `${title} does not show it as it was sent`;
    return isJust(({ sender }) => sender === title) ? `${title} does not keep it as it was sent` : [];
  });
  const [only] = blamed;
  return only === undefined || blamed.length > 1 ? `${own.title} or ${peer.title} changes it` : only;
}

/** Why no message holds what is compared. */
function whyUnheld(all: readonly Probe[], { own, peer }: Pair, isShown: boolean): string {
  const both = all.filter(({ sender }) => [own.title, peer.title].includes(sender));
  const refusing = both.find(({ before }) => before.length > 0);
  const refused = refusing?.before.at(-1);
  const isHidden = !isShown && both.some(({ message }) => message !== undefined);
  if (refusing === undefined || refused === undefined || isHidden) return 'the history does not show the message';
  const held = holdings[refusing.before.length - 1];
  return `over ${refusing.sender} a message with ${held} is not taken: ${describe(refused)}`;
}

const isNothing = (value: unknown): boolean => difference(value, undefined) === undefined;
