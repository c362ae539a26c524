import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { dialects } from '../dialect/index.js';
import type { DocumentKind } from '../document/index.js';
import { TckError } from '../model/tck-error.js';
import { findCards } from '../run/card-search.js';
import { createRedactor, type Exchange, excerpt, header, parseTargetUrl, type Wire } from '../wire/index.js';
import { causeOf } from './cause.js';
import { lookingAt } from './looking.js';

/** A text to be judged, and what it is called in reports. */
export interface SourceText {
  readonly bytes: Uint8Array;
  readonly source: string;
  /** Observations on the way, one line each. */
  readonly evidence: readonly string[];
}

/** Reads at most `most` bytes and one more, which shows that there are more: some files never end. */
function readSome(handle: number, most: number): Uint8Array {
  const chunks: Buffer[] = [];
  let length = 0;
  while (length <= most) {
    const chunk = Buffer.alloc(Math.min(64 * 1024, most + 1 - length));
    const read = readSync(handle, chunk);
    if (read === 0) break;
    chunks.push(chunk.subarray(0, read));
    length += read;
  }
  return Buffer.concat(chunks);
}

/** The same of stdin, which may be a pipe that has nothing yet. */
async function fromStdin(most: number): Promise<SourceText> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > most) break;
  }
  return { bytes: Buffer.concat(chunks), source: 'stdin', evidence: [] };
}

/** Reads a file, up to a byte more than `most`. Throws `TckError('usage')`. */
export function fromFile(file: string, most: number): SourceText {
  const refuse = (why: string, hint?: string): TckError =>
    new TckError('usage', `${file} cannot be read: ${why}`, hint);
  let handle: number;
  try {
    handle = openSync(file, 'r');
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw isMissing ? refuse('there is no such file', 'give a file, a URL, or - for stdin') : refuse(causeOf(error));
  }
  try {
    if (fstatSync(handle).isDirectory()) throw refuse('it is a folder', 'give the file of the document in it');
    return { bytes: readSome(handle, most), source: file, evidence: [] };
  } catch (error) {
    throw error instanceof TckError ? error : refuse(causeOf(error));
  } finally {
    closeSync(handle);
  }
}

const shown = (url: string): string => excerpt(createRedactor([]).url(url), 300);

/** The body of an answer to a plain GET. Throws `TckError` for everything that is no document. */
function bodyOf(exchange: Exchange, url: string): Uint8Array {
  const { response, failure } = exchange;
  const where = shown(url);
  if (failure !== undefined || response === undefined) {
    const why = failure === undefined ? 'no answer' : `${failure.kind} (${failure.detail})`;
    throw new TckError('unreachable', `${where} cannot be read: ${why}`, 'is the URL right, and the server running?');
  }
  const { status, headers, body } = response;
  if (status >= 300 && status < 400) {
    const location = header(headers, 'location');
    const to = location === undefined ? 'to another URL' : `to ${shown(location)}`;
    throw new TckError('not-an-agent', `${where} leads ${to} (HTTP ${status})`, 'give that URL, if you trust it');
  }
  if (status === 401 || status === 403)
    throw new TckError(
      'not-an-agent',
      `${where} wants credentials (HTTP ${status})`,
      'fetch it yourself, and give it on stdin: curl … | a2a-tck validate -',
    );
  if (status < 200 || status > 299)
    throw new TckError('not-an-agent', `${where} gives HTTP ${status}, and no document`);
  return body;
}

async function get(wire: Wire, url: string): Promise<Uint8Array> {
  const request = { method: 'GET', url, headers: [['accept', 'application/json'] as const] };
  return bodyOf(await wire.exchange(request, { purpose: 'detection' }), url);
}

/** The document at a URL; of an agent, its card. */
async function fromUrl(text: string, as: DocumentKind | undefined): Promise<SourceText> {
  const url = parseTargetUrl(text);
  return lookingAt(text, async (wire) => {
    if (as !== undefined && as !== 'card')
      return { bytes: await get(wire, url.href), source: shown(url.href), evidence: [] };
    const paths = [...new Set(dialects.flatMap((dialect) => dialect.cardPaths))];
    const versioned = dialects.find(({ headers }) => headers.length > 0)?.headers ?? [];
    const evidence: string[] = [];
    const instead: Exchange[] = [];
    const found = await findCards({ wire, credentials: [], versioned }, url, paths, evidence, instead);
    const { plain, versioned: young } = found;
    const card = plain ?? young;
    if (card !== undefined) {
      const body = card.exchange.response?.body ?? new Uint8Array();
      const other = plain === undefined ? undefined : young?.exchange.response?.body;
      const differs = other !== undefined && !Buffer.from(body).equals(other);
      return {
        bytes: body,
        source: shown(card.url),
        evidence: differs ? ['the card differs by A2A-Version; this is the one for clients that name none'] : [],
      };
    }
    // What is there in its place is a card with a fault that hides all others: HTML, a comment, a list.
    const own = instead.find(({ request }) => request.url === url.href);
    if (own !== undefined || evidence.length === 0)
      return { bytes: own?.response?.body ?? (await get(wire, url.href)), source: shown(url.href), evidence: [] };
    const first = instead[0];
    if (first?.response !== undefined)
      return { bytes: first.response.body, source: shown(first.request.url), evidence: [] };
    throw new TckError(
      'not-an-agent',
      `there is no agent card: ${evidence.join('; ')}`,
      'give the URL of the document itself',
    );
  });
}

/** Reads what `validate` is to judge: a file, a URL, or `-` for stdin. Throws `TckError`. */
export async function readSource(text: string, as: DocumentKind | undefined, most: number): Promise<SourceText> {
  if (text === '-') return fromStdin(most);
  return /^https?:\/\//i.test(text) ? fromUrl(text, as) : fromFile(text, most);
}
