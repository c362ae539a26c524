import type { Message, Part, Task, TaskState } from '../model/index.js';
import type { Script, Step } from './calls.js';

// What the agent does about a message. A kit steers it by the text prefixes of the ACTS draft, by the same words at the
// start of the messageId (as the official TCK does), or by asking in plain English.

const text = (words: string): Part => ({ kind: 'text', text: words });
const status = (afterMs: number, state: TaskState, say?: string): Step => ({
  afterMs,
  act: { type: 'status', state, ...(say === undefined ? {} : { say }) },
});
const artifact = (name: string, ...parts: readonly Part[]): Step => ({
  afterMs: 5,
  act: { type: 'artifact', name, parts },
});
const chunk = (words: string, append: boolean, lastChunk: boolean): Step => ({
  afterMs: 10,
  act: { type: 'artifact', name: 'answer', parts: [text(words)], append, lastChunk },
});
const task = (...steps: readonly Step[]): Script => ({
  reply: 'task',
  steps: [status(5, 'working', 'On it.'), ...steps],
});
const done = status(5, 'completed', 'Done.');

/** §6.5.1 text of a message: all of its text parts. */
export const said = (message: Message): string =>
  message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');

const completes = (message: Message): Script => task(artifact('answer', text(`You said: ${said(message)}`)), done);
const works = (ms: number, message: Message): Script =>
  task({ ...artifact('answer', text(`You said: ${said(message)}`)), afterMs: ms }, done);

/** Longer than any client waits by default, but not without end. */
export const longWorkMs = 40_000;

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Behaviour = (message: Message) => Script;
const behaviours = {
  'tck-complete-task': completes,
  'tck-task-failure': () => task(status(5, 'failed', 'It could not be done.')),
  'tck-reject-task': () => ({ reply: 'task', steps: [status(5, 'rejected', 'That is not for me to do.')] }),
  'tck-input-required': () => task(status(5, 'input-required', 'Which color shall it be?')),
  'tck-auth-required': () =>
    task(status(5, 'auth-required', 'Sign in to the calendar service, then tell me to go on.')),
  'tck-multi-turn': () => task(status(5, 'input-required', 'And what else?')),
  'tck-cancel': () => task(),
  'tck-long-running': (message) =>
    task(
      status(500, 'working', 'Half of it is done.'),
      { ...artifact('answer', text(`You said: ${said(message)}`)), afterMs: 500 },
      done,
    ),
  'tck-artifact-text': () => task(artifact('note', text('Generated text content')), done),
  'tck-artifact-file': () =>
    task(artifact('pixel', { kind: 'file', bytes: pixel, name: 'pixel.png', mediaType: 'image/png' }), done),
  'tck-artifact-file-url': () =>
    task(
      artifact('pixel', {
        kind: 'file',
        uri: 'https://example.com/pixel.png',
        name: 'pixel.png',
        mediaType: 'image/png',
      }),
      done,
    ),
  'tck-artifact-data': () =>
    task(
      artifact('record', { kind: 'data', data: { key: 'value', count: 42 }, metadata: { schema: 'record/1' } }),
      done,
    ),
  'tck-message-response': (message) => ({ reply: 'message', afterMs: 5, parts: [text(`You said: ${said(message)}`)] }),
  'tck-stream-basic': () => task(artifact('answer', text('Streamed content')), done),
  'tck-stream-chunked': () => task(chunk('chunk 1 ', false, false), chunk('chunk 2', true, true), done),
  'test-resubscribe-message-id': (message) => works(4000, message),
  'works-long': (message) => works(longWorkMs, message),
} as const satisfies Record<string, Behaviour>;
type BehaviourName = keyof typeof behaviours;

/** The longest word first, so that `tck-artifact-file-url` is not taken for `tck-artifact-file`. */
const names = (Object.keys(behaviours) as BehaviourName[]).sort((a, b) => b.length - a.length);
const prefixOf = (words: string): BehaviourName | undefined => names.find((name) => words.startsWith(name));

const prompts: readonly (readonly [RegExp, BehaviourName])[] = [
  [/\b(for a long time|long[- ]running|takes? (very )?long|never finish)/, 'works-long'],
  [
    /\bask (me )?(for|about).*\b(input|detail|color|question|information|clarification)|\bask me (a|something)\b/,
    'tck-input-required',
  ],
  [/\b(sign in|log in|authenticate|authorize|credentials)\b/, 'tck-auth-required'],
  [/\b(refuse|reject|decline)\b/, 'tck-reject-task'],
  [/^(please )?fail\b|\btask fail\b|\bfail (this|the|that|at|on purpose)\b/, 'tck-task-failure'],
  [/\bmessage only\b|\bonly a message\b|\bwith a message\b/, 'tck-message-response'],
  [/\b(send|give) me (a )?(link|url)\b/, 'tck-artifact-file-url'],
  [/\b(send|give) me (a |an )?(small )?(file|image|picture)\b/, 'tck-artifact-file'],
  [/\b(send|give) me (some )?(structured )?(data|json)\b/, 'tck-artifact-data'],
];

export function behaviourOf(message: Message): BehaviourName {
  const first = message.parts.find((part) => part.kind === 'text');
  const words = first?.kind === 'text' ? first.text : '';
  const asked = words.toLowerCase();
  return (
    prefixOf(words) ??
    prefixOf(message.messageId) ??
    prompts.find(([pattern]) => pattern.test(asked))?.[1] ??
    'tck-complete-task'
  );
}

/** `waiting`: the interrupted task that the message answers; any answer lets it complete. */
export function script(message: Message, waiting: Task | undefined): Script {
  return waiting === undefined ? behaviours[behaviourOf(message)](message) : completes(message);
}

/** The same where there is a task for every message. */
export function workOn(message: Message, waiting: Task | undefined): Script {
  const plot = script(message, waiting);
  return plot.reply === 'task' ? plot : completes(message);
}
