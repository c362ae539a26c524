import { jsonFault, scanJson, TckError } from '../model/index.js';

/** Most bytes of a document. */
export const mostBytes = 4 * 1024 * 1024;
/** Most levels of nesting: no document of A2A has nearly as many. */
const deepest = 200;

/** Why a text is not a document at all. */
export interface Unreadable {
  readonly problem: string;
  readonly line: number;
  readonly column: number;
  /** The text there; empty: nothing worth showing. */
  readonly near: string;
  readonly fix: string;
}

export type Read = { readonly text: string; readonly value: unknown } | { readonly unreadable: Unreadable };

const tooMuch = (source: string, what: string, limit: string): TckError =>
  new TckError('usage', `${source} ${what}`, `the kit reads at most ${limit}; no document of A2A needs more`);

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const unreadable = (problem: string, fix: string, at: Partial<Unreadable> = {}): Read => ({
  unreadable: { line: 1, column: 1, near: '', problem, fix, ...at },
});

function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  scanJson(text, {
    name: () => undefined,
    value: () => undefined,
    open: () => {
      most = Math.max(most, ++depth);
    },
    close: () => {
      depth--;
    },
  });
  return most;
}

/** What a text that is not JSON probably is. */
function meant(text: string, what: string): string {
  const begin = text.trimStart().slice(0, 200);
  if (begin === '') return 'Give a file with a JSON document.';
  if (/^</.test(begin)) return 'This is HTML or XML: give the URL or file of the JSON document itself.';
  if (
    what === 'a comment' ||
    what === 'single quotes' ||
    what === 'a name without quotes' ||
    what.startsWith('nothing before')
  )
    return 'JSON has no comments, no single quotes, no bare names and no comma at the end: clients cannot read it.';
  if (/^[\w"'-]+\s*:/.test(begin) || begin.startsWith('---')) return 'This looks like YAML: clients read JSON only.';
  return 'Correct the text here: clients cannot read any of it.';
}

/**
 * Reads a document; bytes of any kind give a value or a reason. Throws `TckError('usage')` for what is longer or deeper
 * than the kit reads, which no sentence forbids.
 */
export function readDocument(bytes: Uint8Array, source: string): Read {
  const megabytes = `${mostBytes / 1024 / 1024} MiB`;
  if (bytes.length > mostBytes) throw tooMuch(source, `is longer than ${megabytes}`, megabytes);
  let text: string;
  try {
    text = strict.decode(bytes);
  } catch {
    return unreadable('is not text in UTF-8', 'Write the document in UTF-8, as JSON has to be.');
  }
  if (text.startsWith('\uFEFF'))
    return unreadable('begins with a byte order mark, which JSON must not have', 'Save the file as UTF-8 without BOM.');
  const fault = jsonFault(text);
  if (fault !== undefined) {
    const { line, column, what, near } = fault;
    return unreadable(`is not JSON: here is ${what}`, meant(text, what), { line, column, near });
  }
  const depth = depthOf(text);
  if (depth > deepest) throw tooMuch(source, `nests ${depth} levels deep`, `${deepest} levels`);
  return { text, value: JSON.parse(text) as unknown };
}
