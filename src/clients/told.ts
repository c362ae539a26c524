import { type Dialect, errorName } from '../dialect/index.js';
import type { ClientReport } from '../kit/index.js';
import { type ErrorName, errorNames, isObject, stringMember, taskStates } from '../model/index.js';
import { excerpt } from '../wire/index.js';

/** The canonical state of a word in any spelling: "TASK_STATE_COMPLETED", "TaskState.completed", "InputRequired". */
export function stateOf(word: string): string {
  const plain = word
    .trim()
    .replace(/^TaskState(?:\.|::)/i, '')
    .replace(/^TASK_STATE_/i, '')
    .replaceAll(/([a-z])(?=[A-Z])/g, '$1-')
    .toLowerCase()
    .replaceAll('_', '-');
  return taskStates.find((state) => state === plain) ?? plain;
}

/** "TaskNotFoundError", "TASK_NOT_FOUND", "Task not found" and "taskNotFound" are one name. */
const squeezed = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .replace(/error$/, '');

const spellings: ReadonlyMap<string, ErrorName> = new Map([
  ...errorNames.map((name) => [squeezed(name), name] as const),
  ['jsonparse', 'ParseError'],
  ['parse', 'ParseError'],
  ['invalidparameters', 'InvalidParams'],
  ['internal', 'InternalError'],
  ['contenttypenotsupported', 'ContentTypeNotSupported'],
  ['authenticatedextendedcardnotconfigured', 'ExtendedCardNotConfigured'],
  ['extendedagentcardnotconfigured', 'ExtendedCardNotConfigured'],
]);

/** The error of A2A that a text, a number or an object means; undefined: none that the version has. */
export function errorNamed(value: unknown, dialect: Dialect): ErrorName | undefined {
  if (typeof value === 'number') return errorName(dialect, value);
  if (typeof value === 'string') return spellings.get(squeezed(value.slice(0, 200))) ?? inText(value, dialect);
  if (!isObject(value)) return undefined;
  const parts = [value['reason'], value['name'], value['code'], value['type'], value['message'], value['text']];
  return parts.map((part) => errorNamed(part, dialect)).find((name) => name !== undefined);
}

/** A number or a name within a sentence. */
function inText(text: string, dialect: Dialect): ErrorName | undefined {
  const beginning = text.slice(0, 4000);
  const byNumber = [...beginning.matchAll(/-32\d{3}\b/g)]
    .map(([number]) => errorName(dialect, Number(number)))
    .find((name) => name !== undefined);
  if (byNumber !== undefined) return byNumber;
  const squeezedText = beginning.toLowerCase().replaceAll(/[^a-z]/g, '');
  return [...spellings].filter(([word]) => word.length > 8).find(([word]) => squeezedText.includes(word))?.[1];
}

const texts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : undefined;

/** Most characters of a text that is kept. */
const longest = 4 << 20;
const kept = (text: string | undefined): string | undefined => text?.slice(0, longest);

/** The line of JSON that a client prints, as checks read it. undefined: it is not a JSON object. */
export function readTold(line: string, dialect: Dialect): ClientReport | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { error, state, ids, states, warnings } = value;
  const about = typeof error === 'string' ? error : error === undefined ? undefined : JSON.stringify(error);
  return definedOnly({
    state: typeof state === 'string' ? stateOf(state) : undefined,
    text: kept(stringMember(value, 'text')),
    taskId: kept(stringMember(value, 'taskId')),
    transaction: kept(stringMember(value, 'transaction')),
    contextId: kept(stringMember(value, 'contextId')),
    error:
      about === undefined || error === null
        ? undefined
        : { name: errorNamed(error, dialect), text: excerpt(about, 2000) },
    ids: texts(ids),
    states: texts(states)?.map(stateOf),
    warnings: texts(warnings),
  });
}

type Loose<T> = { [Key in keyof T]: T[Key] | undefined };
const definedOnly = (value: Loose<Required<ClientReport>>): ClientReport =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as ClientReport;

/** Why the client cannot do the errand, where the line says so; undefined: it says nothing of the kind. */
export function unsupportedIn(line: string): string | undefined {
  try {
    const why = stringMember(JSON.parse(line), 'unsupported');
    return why === undefined ? undefined : excerpt(why, 500);
  } catch {
    return undefined;
  }
}
