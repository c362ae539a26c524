import {
  isInterrupted,
  isObject,
  isTerminal,
  type JsonObject,
  type Message,
  member,
  type Task,
} from '../../model/index.js';
import { said } from '../behaviours.js';
import type { Command, Reply } from '../calls.js';
import { peek } from '../http.js';
import { type Patch, together } from '../seams.js';
import { empty, marked, page, reset } from './breaking.js';
import { fuzzFault } from './fuzz-fault.js';
import { listOf, messageIn, paramsIn, taskIn } from './looking.js';

/** The message that began a task. */
const firstOf = (task: Task): Message | undefined => task.history?.find(({ role }) => role === 'user');

/** Tasks that begin with a message for which `first` holds show `shows` in their metadata, as they may. */
const telling =
  (shows: JsonObject, first: (message: Message) => boolean): Patch =>
  (inner) => ({
    create(message) {
      const task = inner.create(message);
      return first(message) ? { ...task, metadata: marked(task.metadata, shows) } : task;
    },
  });

/**
 * Tasks that begin with a message for which `first` holds show it; a later call on such a task for which `then` holds
 * is answered with `reply`. Both conditions must hold for the same task.
 */
const inCourse = (
  shows: JsonObject,
  first: (message: Message) => boolean,
  then: (sent: unknown, task: Task) => boolean,
  reply: Reply,
): Patch =>
  together(telling(shows, first), (inner, { store }) => ({
    async serveRpc(request) {
      const sent = peek(request);
      const id = taskIn(sent);
      const task = typeof id === 'string' ? store.get(id) : undefined;
      const message = task && firstOf(task);
      return message !== undefined && task !== undefined && first(message) && then(sent, task)
        ? reply
        : inner.serveRpc(request);
    },
  }));

/**
 * The same within one call: a message for which `first` holds makes its task show it; where `then` holds as well, the
 * call is answered with `reply`.
 */
const inOneCall = (
  shows: JsonObject,
  first: (message: unknown) => boolean,
  then: (sent: unknown) => boolean,
  reply: Reply,
): Patch =>
  together(telling(shows, first), (inner) => ({
    async serveRpc(request) {
      const sent = peek(request);
      return first(messageIn(sent)) && then(sent) ? reply : inner.serveRpc(request);
    },
  }));

const called = (sent: unknown, name: RegExp): boolean => name.test(String(member(sent, 'method')));
/** 1.0 tells parts apart by their members, and knows no file member. */
const kinds = { data: ['data'], file: ['file', 'raw', 'url'] } as const;
const has = (message: unknown, kind: 'data' | 'file'): boolean =>
  listOf(member(message, 'parts')).some(
    (part) => member(part, 'kind') === kind || kinds[kind].some((name) => member(part, name) !== undefined),
  );
const isEmptyObject = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;
const isFull = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0;
const historyLength = (sent: unknown): unknown => member(paramsIn(sent), 'historyLength');

/** The metadata of a task shows what happened to it; a later call for which `breaks` holds ends the connection. */
const remembering =
  (
    moves: (command: Command, task: Task) => JsonObject | undefined,
    breaks: (sent: unknown, task: Task) => boolean,
  ): Patch =>
  (inner, { store }) => {
    const named = (params: unknown): Task | undefined => {
      const id = taskIn({ params });
      return typeof id === 'string' ? store.get(id) : undefined;
    };
    return {
      async execute(command, call) {
        const before = named(command.params);
        try {
          return await inner.execute(command, call);
        } finally {
          const after = before && store.get(before.id);
          const shown = before && moves(command, before);
          if (after && shown) store.put({ ...after, metadata: marked(after.metadata, shown) });
        }
      },
      async serveRpc(request) {
        const sent = peek(request);
        const task = named(paramsIn(sent));
        return task !== undefined && breaks(sent, task) ? reset : inner.serveRpc(request);
      },
    };
  };
/**
 * A task that begins with a message for which `first` holds shows it; what then happens to the task leaves further
 * marks.
 */
const climbing = (
  shows: JsonObject,
  first: (message: Message) => boolean,
  moves: (command: Command, task: Task) => JsonObject | undefined,
  breaks: (sent: unknown, task: Task) => boolean,
): Patch => together(remembering(moves, breaks), telling(shows, first));
const isMarked = (task: Task, name: string): boolean => member(task.metadata, name) !== undefined;

/**
 * Faults behind two or three conditions. All but the last show in answers and are no fault; the agent breaks only where
 * all of them held.
 */
export const chainFaults = [
  fuzzFault('fuzz-data-then-canceled-resets', {
    about: 'A task that a data part began says so; canceling it ends the connection.',
    seenBy: ['alive', 'law', 'history'],
    chain: true,
    patch: inCourse(
      { verbose: true },
      (message) => has(message, 'data'),
      (sent) => called(sent, /cancel/i),
      reset,
    ),
  }),
  fuzzFault('fuzz-file-then-read-short-crashes', {
    about: 'A task that a file began says so; reading it with a history length ends in HTTP 500.',
    seenBy: ['alive', 'law', 'history'],
    chain: true,
    patch: inCourse(
      { attachments: 1 },
      (message) => has(message, 'file'),
      (sent) => called(sent, /get$/i) && typeof historyLength(sent) === 'number',
      page(500),
    ),
  }),
  fuzzFault('fuzz-picture-then-message-resets', {
    about: 'A task that was asked for a file says so; a message to it once it has ended ends the connection.',
    seenBy: ['alive', 'law', 'history'],
    chain: true,
    patch: inCourse(
      { illustrated: true },
      (message) => /file|picture|image/i.test(said(message)),
      (sent, task) => messageIn(sent) !== undefined && isTerminal(task.status.state),
      reset,
    ),
  }),
  fuzzFault('fuzz-extensions-then-empty-metadata-empties', {
    about: 'A message that names extensions makes its task say so; with empty metadata as well nothing is answered.',
    seenBy: ['alive', 'law'],
    chain: true,
    patch: inOneCall(
      { extensions: 'noted' },
      (message) => Array.isArray(member(message, 'extensions')),
      (sent) => isEmptyObject(member(messageIn(sent), 'metadata')) || isEmptyObject(member(paramsIn(sent), 'metadata')),
      empty,
    ),
  }),
  fuzzFault('fuzz-data-and-bad-configuration-crashes', {
    about: 'A message with a data part makes its task say so; with a configuration that is wrong it ends in HTTP 500.',
    seenBy: ['alive', 'law', 'error-class'],
    chain: true,
    patch: inOneCall(
      { structured: true },
      (message) => has(message, 'data'),
      (sent) => {
        const configuration = member(paramsIn(sent), 'configuration');
        const length = member(configuration, 'historyLength');
        const wrong = configuration !== undefined && !isObject(configuration);
        return wrong || (length !== undefined && typeof length !== 'number') || Number(length) < 0;
      },
      page(500),
    ),
  }),
  fuzzFault('fuzz-file-and-odd-text-resets', {
    about: 'A message with a file makes its task say so; with another part that is no object it ends the connection.',
    seenBy: ['alive', 'law', 'error-class'],
    chain: true,
    patch: inOneCall(
      { received: 'file' },
      (message) => has(message, 'file'),
      (sent) => {
        const parts = member(messageIn(sent), 'parts');
        return (
          Array.isArray(parts) && parts.some((part) => !isObject(part) || typeof member(part, 'kind') !== 'string')
        );
      },
      reset,
    ),
  }),
  fuzzFault('fuzz-short-read-then-cancel-resets', {
    about: 'Reading a task with a history length is remembered in it; canceling it then ends the connection.',
    seenBy: ['alive', 'law', 'history'],
    chain: true,
    patch: remembering(
      ({ op, params }) => (op === 'get' && params.historyLength !== undefined ? { peeked: true } : undefined),
      (sent, task) => called(sent, /cancel/i) && isMarked(task, 'peeked'),
    ),
  }),
  fuzzFault('fuzz-answered-question-then-short-read-resets', {
    about: 'A task that got an answer to its question says so; reading it with a history length ends the connection.',
    seenBy: ['alive', 'law', 'history'],
    chain: true,
    patch: remembering(
      ({ op }, task) => (op === 'send' && isInterrupted(task.status.state) ? { answered: 1 } : undefined),
      (sent, task) => called(sent, /get$/i) && isMarked(task, 'answered') && historyLength(sent) !== undefined,
    ),
  }),
  fuzzFault('fuzz-refused-cancel-then-message-resets', {
    about: 'A cancel that a task refused is remembered in it; a message to it then ends the connection.',
    seenBy: ['alive', 'law', 'history'],
    chain: true,
    patch: remembering(
      ({ op }, task) => (op === 'cancel' && isTerminal(task.status.state) ? { insisted: true } : undefined),
      (sent, task) => messageIn(sent) !== undefined && isMarked(task, 'insisted'),
    ),
  }),
  fuzzFault('fuzz-tagged-then-read-short-crashes', {
    about: 'A task that a message with metadata began says so; reading it with a history length ends in HTTP 500.',
    seenBy: ['alive', 'law', 'history'],
    chain: true,
    patch: inCourse(
      { tags: 1 },
      ({ metadata }) => isFull(metadata),
      (sent) => called(sent, /get$/i) && typeof historyLength(sent) === 'number',
      page(500),
    ),
  }),
  fuzzFault('fuzz-linked-then-message-resets', {
    about: 'A task whose first message refers to another task says so; a further message to it ends the connection.',
    seenBy: ['alive', 'law', 'history'],
    chain: true,
    patch: inCourse(
      { linked: true },
      ({ referenceTaskIds }) => (referenceTaskIds?.length ?? 0) > 0,
      (sent) => messageIn(sent) !== undefined,
      reset,
    ),
  }),
  fuzzFault('fuzz-extended-then-canceled-with-note-empties', {
    about: 'A task whose first message names extensions says so; canceling it with metadata answers nothing.',
    seenBy: ['alive', 'law', 'history'],
    chain: true,
    patch: inCourse(
      { extended: true },
      ({ extensions }) => (extensions?.length ?? 0) > 0,
      (sent) => called(sent, /cancel/i) && isObject(member(paramsIn(sent), 'metadata')),
      empty,
    ),
  }),
  fuzzFault('fuzz-data-read-short-then-canceled-resets', {
    about: 'A task that a data part began and that was then read with a history length says both; canceling it resets.',
    seenBy: ['alive', 'law', 'history'],
    chain: true,
    patch: climbing(
      { table: true },
      (message) => has(message, 'data'),
      ({ op, params }, task) =>
        op === 'get' && params.historyLength !== undefined && isMarked(task, 'table') ? { paged: true } : undefined,
      (sent, task) => called(sent, /cancel/i) && isMarked(task, 'paged'),
    ),
  }),
  fuzzFault('fuzz-tagged-canceled-then-message-resets', {
    about: 'A task that metadata began and that was asked to cancel says both; a further message ends the connection.',
    seenBy: ['alive', 'law', 'history'],
    chain: true,
    patch: climbing(
      { tagged: true },
      ({ metadata }) => isFull(metadata),
      ({ op }, task) => (op === 'cancel' && isMarked(task, 'tagged') ? { archived: true } : undefined),
      (sent, task) => messageIn(sent) !== undefined && isMarked(task, 'archived'),
    ),
  }),
  fuzzFault('fuzz-file-canceled-then-read-short-resets', {
    about: 'A task that a file began and that was asked to cancel says both; reading it with a history length resets.',
    seenBy: ['alive', 'law', 'history'],
    chain: true,
    patch: climbing(
      { upload: true },
      (message) => has(message, 'file'),
      ({ op }, task) => (op === 'cancel' && isMarked(task, 'upload') ? { discarded: true } : undefined),
      (sent, task) => called(sent, /get$/i) && isMarked(task, 'discarded') && historyLength(sent) !== undefined,
    ),
  }),
  fuzzFault('fuzz-shown-name-sent-back-crashes', {
    about: 'A task that a data part began shows a member of its own; a message that brings it along ends in HTTP 500.',
    seenBy: ['alive', 'law', 'error-class'],
    chain: true,
    patch: inOneCall(
      { renderer: 'table' },
      (message) => has(message, 'data'),
      (sent) => member(member(messageIn(sent), 'metadata'), 'renderer') !== undefined,
      page(500),
    ),
  }),
];
