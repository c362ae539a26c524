import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentKind } from '../document/index.js';
import { readStdin, readWithin } from '../files/index.js';
import { TckError } from '../model/tck-error.js';
import { findCards, isDocument } from '../run/detection/card-search.js';
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

const unreadable = (source: string, error: unknown): TckError =>
  new TckError(
    'usage',
    `${source} cannot be read: ${causeOf(error)}`,
    'give the file of a document, its URL, or - for stdin',
  );

/** Reads a file of at most `most` bytes. Throws `TckError('usage')`. */
export function fromFile(file: string, most: number): SourceText {
  try {
    return { bytes: readWithin(file, most), source: file, evidence: [] };
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function fromStdin(most: number): Promise<SourceText> {
  try {
    return { bytes: await readStdin(most), source: 'stdin', evidence: [] };
  } catch (error) {
    throw unreadable('stdin', error);
  }
}

const shown = (url: string): string => excerpt(createRedactor([]).url(url), 300);

/** The body of an answer to a plain GET. Throws `TckError` for everything that is not a document. */
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
    const evidence: string[] = [];
    const answers: Exchange[] = [];
    const found = await findCards({ wire, credentials: [] }, url, evidence, answers);
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
    const documents = answers.filter(isDocument);
    const own = documents.find(({ request }) => request.url === url.href);
    if (own !== undefined || evidence.length === 0)
      return { bytes: own?.response?.body ?? (await get(wire, url.href)), source: shown(url.href), evidence: [] };
    const [first] = documents;
    if (first?.response !== undefined)
      return { bytes: first.response.body, source: shown(first.request.url), evidence: [] };
    throw new TckError(
      'not-an-agent',
      `the agent card is missing: ${evidence.join('; ')}`,
      'give the URL of the document itself',
    );
  });
}

/** Most files that one pattern may stand for. */
const mostFiles = 1000;

/**
 * Each file that a pattern stands for, in the order of their names; what is a file, a URL or `-` stands for itself.
 * Shells that know patterns have done this before. Throws `TckError('usage')` where a pattern fits no file.
 */
export async function sourcesIn(from: readonly string[]): Promise<readonly string[]> {
  const { default: picomatch } = await import('picomatch');
  return from.flatMap((text) => {
    const pattern = text.replaceAll('\\', '/');
    const { base, isGlob } = picomatch.scan(pattern);
    if (!isGlob || text === '-' || /^https?:\/\//i.test(text) || existsSync(text)) return [text];
    const fits = picomatch(pattern);
    const files = filesBelow(base).filter((file) => fits(file));
    if (files.length > 0 && files.length <= mostFiles) return files.sort();
    const found = files.length === 0 ? 'fits no file' : `fits ${files.length} files, ${mostFiles} are the most`;
    throw new TckError('usage', `${text} ${found}`, 'give files, or a pattern such as cards/*.json');
  });
}

function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder === '' ? '.' : folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).replaceAll('\\', '/'));
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** Reads what `validate` is to judge: a file, a URL, or `-` for stdin. Throws `TckError`. */
export async function readSource(text: string, as: DocumentKind | undefined, most: number): Promise<SourceText> {
  if (text === '-') return fromStdin(most);
  return /^https?:\/\//i.test(text) ? fromUrl(text, as) : fromFile(text, most);
}
