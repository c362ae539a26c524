import { answeredText } from '../../client/index.js';
import { bodyText, type Exchange, excerpt } from '../../wire/index.js';

// Finds details of an agent's inside in its answers: stack traces and paths of files.

/** A name for people, and a pattern. */
export type LeakPattern = readonly [what: string, pattern: RegExp];

/** Stack traces, and paths of files. */
export const leakPatterns: readonly LeakPattern[] = [
  ['a stack trace', /(?:^|[\n>;])[ \t]*at [^\n]{0,200}?(?:[/\\]|\.[cm]?[jt]sx?|node:)[^\s()]{0,200}:\d+:\d+/],
  [
    'a stack trace',
    /Traceback \(most recent call last\)|\bgoroutine \d+ \[|\bpanicked at\b|\bat [\w$.]+\([\w$]+\.java:\d+\)/,
  ],
  ['a path of a file', /\bfile:\/\/\/[^\s"'<>]+/],
  [
    'a path of a file',
    /(?:^|[\s"'`(=:[])\/(?:home|usr|var|app|opt|root|srv|etc|tmp|Users|workspace)\/[\w@.-]+(?:\/[\w@.-]+)*/,
  ],
  ['a path of a file', /(?:^|[\s"'`(=[])[A-Za-z]:\\(?:[\w@. -]+\\)+[\w@.-]+/],
  ['a path of a file', /\bnode_modules\/[\w@.-]+/],
];

/**
 * Code that broke over a value: stack traces, and what interpreters say where a value is missing or of another type. The
 * words of validations are none.
 */
export const brokenPatterns: readonly LeakPattern[] = [
  ...leakPatterns.filter(([what]) => what === 'a stack trace'),
  [
    'words of an interpreter',
    /Cannot (?:read|set) propert(?:y|ies) of (?:undefined|null)|\b(?:undefined|null) is not (?:an object|iterable)|\bis not a function\b|Maximum call stack size exceeded/,
  ],
  [
    'words of an interpreter',
    /'NoneType' object |\bobject has no attribute '|\bindices must be integers|maximum recursion depth exceeded/,
  ],
  [
    'words of an interpreter',
    /\b(?:NullPointer|ClassCast|(?:Array|String)?IndexOutOfBounds|NullReference)Exception\b|\bStackOverflowError\b|Cannot invoke "[^"]{1,200}" because |Object reference not set to an instance/,
  ],
  [
    'words of an interpreter',
    /runtime error: (?:invalid memory address|index out of range|slice bounds)|called `(?:Option|Result)::unwrap\(\)`/,
  ],
];

/** Text without the escapes of JSON, so that line breaks are line breaks. */
const unescaped = (text: string): string =>
  text.replace(/\\(u[0-9a-fA-F]{4}|.)/g, (_, what: string) => {
    if (what === 'n') return '\n';
    if (what === 't') return '\t';
    if (what.length === 5) return String.fromCharCode(Number.parseInt(what.slice(1), 16));
    return what;
  });

/** The text of the request, as it was written and without escapes: an answer that repeats it discloses nothing. */
function sentText({ request }: Exchange, said: string): string {
  const text = [request.url, ...request.headers.flat(), bodyText(request.body), said].join('\n');
  return `${text}\n${unescaped(text)}`;
}

/** Bytes of each answer that are searched. */
const mostText = 64 * 1024;

export interface Disclosure {
  /** "a stack trace" */
  readonly what: string;
  readonly text: string;
}

/**
 * The first detail of the inside in an answer that the request does not have; undefined: none. Cheap if there is none.
 * `said`: text of the request that its bytes do not show.
 */
export function disclosureIn(exchange: Exchange, signs: readonly LeakPattern[], said = ''): Disclosure | undefined {
  const raw = answeredText(exchange, mostText);
  const text = raw.includes('\\') ? unescaped(raw) : raw;
  let sent: string | undefined;
  for (const [what, pattern] of signs) {
    const found = pattern.exec(text)?.[0].trim();
    if (found === undefined) continue;
    sent ??= sentText(exchange, said);
    if (!sent.includes(found.replace(/^["'`(=:[]/, ''))) return { what, text: excerpt(found, 120) };
  }
  return undefined;
}

/** The first such detail in one line; undefined: none. */
export function internalDisclosure(
  exchange: Exchange,
  signs: readonly LeakPattern[] = leakPatterns,
): string | undefined {
  const found = disclosureIn(exchange, signs);
  return found && `${found.what}: ${found.text}`;
}
