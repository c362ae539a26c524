import { canParseUrl, isObject, isString, member } from '../../model/index.js';
import { crashing, dying, empty, failing, hung, on, reset } from './breaking.js';
import { fuzzFault } from './fuzz-fault.js';
import { depthOf, messageIn, paramsIn, somewhere, taskIn, textOf } from './looking.js';

const inMessage = (sent: unknown, name: string): unknown => member(messageIn(sent), name);
const hasMessage = (sent: unknown): boolean => isObject(messageIn(sent));
const isId = (name: string): boolean => /id$/i.test(name);
const historyLength = (sent: unknown): unknown =>
  member(paramsIn(sent), 'historyLength') ?? member(member(paramsIn(sent), 'configuration'), 'historyLength');

/** Params of odd types and values. */
export const paramFaults = [
  fuzzFault('fuzz-parts-no-array-resets', {
    about: 'Parts that are no array end the connection.',
    seenBy: ['alive', 'law'],
    patch: on((sent) => hasMessage(sent) && !Array.isArray(inMessage(sent, 'parts')), reset),
  }),
  fuzzFault('fuzz-parts-no-array-kills', {
    about: 'Parts that are no array are refused, and then nothing is answered any more.',
    seenBy: ['alive', 'law'],
    patch: dying((sent) => hasMessage(sent) && !Array.isArray(inMessage(sent, 'parts')), hung),
  }),
  fuzzFault('fuzz-empty-list-crashes', {
    about: 'An empty list in a message is answered with HTTP 500 and a page.',
    seenBy: ['alive', 'law', 'error-class'],
    patch: crashing((sent) => somewhere(messageIn(sent), (one) => Array.isArray(one) && one.length === 0)),
  }),
  fuzzFault('fuzz-unknown-role-is-internal', {
    about: 'A role that is none is an internal error.',
    seenBy: ['error-class', 'law', 'leak'],
    patch: failing(
      (sent) => hasMessage(sent) && !/^(ROLE_)?(user|agent)$/i.test(String(inMessage(sent, 'role') ?? 'user')),
      "KeyError: 'role'",
    ),
  }),
  fuzzFault('fuzz-number-in-part-resets', {
    about: 'A number where a part has a text ends the connection.',
    seenBy: ['alive', 'law'],
    patch: on(
      (sent) =>
        somewhere(
          inMessage(sent, 'parts'),
          (one, name) => /^(text|kind|name|mimeType|bytes|uri)$/.test(name) && typeof one === 'number',
        ),
      reset,
    ),
  }),
  fuzzFault('fuzz-null-in-list-crashes', {
    about: 'null in any list of the params is answered with HTTP 500 and a page.',
    seenBy: ['alive', 'law', 'error-class'],
    patch: crashing((sent) => somewhere(paramsIn(sent), (one) => Array.isArray(one) && one.includes(null))),
  }),
  fuzzFault('fuzz-null-part-is-internal', {
    about: 'null in place of a part is an internal error.',
    seenBy: ['error-class', 'law', 'alive'],
    patch: failing((sent) => {
      const parts = inMessage(sent, 'parts');
      return Array.isArray(parts) && parts.includes(null);
    }, 'Internal error'),
  }),
  fuzzFault('fuzz-empty-id-finds-a-task', {
    about: 'An empty id of a task finds the task that was begun last.',
    seenBy: ['error-class', 'life-cycle'],
    patch: (inner) => {
      let last: string | undefined;
      return {
        find(taskId, op) {
          if (taskId === '' && last !== undefined) return inner.find(last, op);
          const found = inner.find(taskId, op);
          last = found?.id ?? last;
          return found;
        },
        async execute(command, call) {
          const outcome = await inner.execute(command, call);
          if (outcome.op === 'send' && outcome.result.type === 'task') last = outcome.result.task.id;
          return outcome;
        },
      };
    },
  }),
  fuzzFault('fuzz-empty-message-id-crashes', {
    about: 'An empty id of a message is answered with HTTP 500 and a page.',
    seenBy: ['alive', 'law', 'error-class'],
    patch: crashing((sent) => inMessage(sent, 'messageId') === ''),
  }),
  fuzzFault('fuzz-empty-context-id-crashes', {
    about: 'An empty id of a context is answered with HTTP 500 and a page.',
    seenBy: ['alive', 'law', 'error-class'],
    patch: crashing((sent) => inMessage(sent, 'contextId') === ''),
  }),
  fuzzFault('fuzz-null-member-empties', {
    about: 'null for any member of the params gives an answer without a body.',
    seenBy: ['alive', 'law', 'error-class'],
    patch: on((sent) => somewhere(paramsIn(sent), (one, name) => one === null && !/^\d*$/.test(name)), empty),
  }),
  fuzzFault('fuzz-metadata-array-leaks', {
    about: 'An array for metadata is answered with an internal error and a stack trace.',
    seenBy: ['leak', 'error-class'],
    patch: failing(
      (sent) => somewhere(paramsIn(sent), (one, name) => name === 'metadata' && Array.isArray(one)),
      'Internal server error',
      'Traceback (most recent call last):\n  File "/app/agent/metadata.py", line 17, in merge\nAttributeError: items',
    ),
  }),
  fuzzFault('fuzz-deep-metadata-hangs', {
    about: 'Data and metadata that are nested more than 12 deep are never done with.',
    seenBy: ['alive', 'law'],
    patch: on(
      (sent, request) =>
        depthOf(textOf(request)) > 12 &&
        somewhere(paramsIn(sent), (one, name) => /^(meta)?data$/.test(name) && isObject(one)),
      hung,
    ),
  }),
  fuzzFault('fuzz-negative-history-crashes', {
    about: 'A negative history length is answered with HTTP 500 and a page.',
    seenBy: ['alive', 'law', 'error-class'],
    patch: crashing((sent) => Number(historyLength(sent)) < 0),
  }),
  fuzzFault('fuzz-huge-history-hangs', {
    about: 'A history length of more than a million is never answered.',
    seenBy: ['alive', 'law'],
    patch: on((sent) => Number(historyLength(sent)) > 1e6, hung),
  }),
  fuzzFault('fuzz-object-task-id-resets', {
    about: 'An object for the id of a task ends the connection.',
    seenBy: ['alive', 'law'],
    patch: on((sent) => isObject(taskIn(sent)), reset),
  }),
  fuzzFault('fuzz-empty-task-id-leaks', {
    about: 'An empty id of a task is answered with the text of a database.',
    seenBy: ['leak', 'error-class', 'law'],
    patch: failing(
      (sent) => taskIn(sent) === '',
      'SQLSTATE[22P02]: invalid input syntax for type uuid: "" in SELECT * FROM tasks WHERE id = $1',
    ),
  }),
  fuzzFault('fuzz-quote-in-task-id-leaks', {
    about: 'A quotation mark in the id of a task is answered with the text of a database.',
    seenBy: ['leak', 'error-class', 'law'],
    patch: failing(
      (sent) => /['"]/.test(String(taskIn(sent))),
      "near \"'\": syntax error: SELECT * FROM tasks WHERE id = '''",
      { driver: 'sqlite3.OperationalError' },
    ),
  }),
  fuzzFault('fuzz-long-task-id-hangs', {
    about: 'A call with an id of a task of more than 300 letters is never answered.',
    seenBy: ['alive', 'law'],
    patch: on((sent) => isString(taskIn(sent)) && String(taskIn(sent)).length > 300, hung),
  }),
  fuzzFault('fuzz-emoji-in-id-is-internal', {
    about: 'Letters beyond the basic plane in an id are an internal error.',
    seenBy: ['error-class', 'law', 'leak', 'alive'],
    patch: failing(
      (sent) =>
        somewhere(paramsIn(sent), (one, name) => isId(name) && isString(one) && /[\u{10000}-\u{10ffff}]/u.test(one)),
      "UnicodeEncodeError: 'ascii' codec can't encode character",
    ),
  }),
  fuzzFault('fuzz-odd-context-leaks', {
    about: 'What is no text for the id of a context is answered with the path of a file.',
    seenBy: ['leak', 'error-class'],
    patch: failing(
      (sent) => !['string', 'undefined'].includes(typeof inMessage(sent, 'contextId')),
      'contextId.trim is not a function (/opt/agent/dist/contexts.js:12:31)',
    ),
  }),
  fuzzFault('fuzz-long-text-resets', {
    about: 'A text of more than 5000 letters ends the connection.',
    seenBy: ['alive', 'law'],
    patch: on((sent) => somewhere(paramsIn(sent), (one) => isString(one) && one.length > 5000), reset),
  }),
  fuzzFault('fuzz-empty-text-hangs', {
    about: 'A message with an empty text anywhere is never answered.',
    seenBy: ['alive', 'law'],
    patch: on((sent) => somewhere(messageIn(sent), (one) => one === ''), hung),
  }),
  fuzzFault('fuzz-text-with-format-leaks', {
    about: 'A text with a percent sign anywhere in a message is read as a format, and shows the environment.',
    seenBy: ['leak'],
    patch: failing(
      (sent) => somewhere(messageIn(sent), (one) => isString(one) && /%[snpxd]/.test(one)),
      'PATH=/usr/local/bin:/usr/bin DATABASE_URL=postgres://agent:Tr0ub4dor@db.internal/agent HOME=/root',
    ),
  }),
  fuzzFault('fuzz-push-url-hangs', {
    about: 'A webhook that is no URL is never answered.',
    seenBy: ['alive', 'law'],
    on: 'streaming-and-push',
    patch: on((sent) => {
      const config = member(paramsIn(sent), 'pushNotificationConfig');
      const url = member(config, 'url');
      return config !== undefined && !(isString(url) && canParseUrl(url));
    }, hung),
  }),
  fuzzFault('fuzz-push-refusal-is-page', {
    about: 'What is wrong with the params of a configuration is told with a page.',
    seenBy: ['alive', 'law', 'error-class'],
    on: 'streaming-and-push',
    patch: crashing(
      (sent) =>
        /pushNotificationConfig\/set$/.test(String(member(sent, 'method'))) &&
        !(isObject(paramsIn(sent)) && isObject(member(paramsIn(sent), 'pushNotificationConfig'))),
    ),
  }),
];
