import { readFileSync } from 'node:fs';
import type { Requirement } from './requirements.js';

/** `schemas/published.json`. */
interface Published {
  readonly documents: readonly {
    /** What the ids of its requirements begin with: "A2A10". */
    readonly ids: string;
    readonly url: string;
    /** The names of its headings by the numbers of their sections. */
    readonly anchors: Readonly<Record<string, string>>;
  }[];
  /** The page of the latest text of A2A, which has sentences that the first text of a version does not have. */
  readonly later: string;
  /** Documents by the names with which sections of a pack begin. */
  readonly named: Readonly<Record<string, string>>;
}

let read: Published | undefined;
function published(): Published {
  read ??= JSON.parse(readFileSync(new URL('../../schemas/published.json', import.meta.url), 'utf8')) as Published;
  return read;
}

/**
 * The URL at which the sentence of a row is published, with the heading of its section where the page has one; undefined
 * for documents without a public page.
 */
export function publishedAt({
  id,
  section,
  since,
  document,
  url,
}: Pick<Requirement, 'id' | 'section' | 'since' | 'document' | 'url'>): string | undefined {
  if (url !== undefined) return url;
  const { documents, named, later } = published();
  const own = documents.find(({ ids }) => (document === undefined ? id.startsWith(`${ids}-`) : ids === document));
  if (own === undefined) return Object.entries(named).find(([name]) => section.startsWith(name))?.[1];
  if (since !== undefined) return later;
  const anchor = own.anchors[/^[0-9A-Z]+(?:\.[0-9]+)*(?=[ .]|$)/.exec(section)?.[0] ?? ''];
  return anchor === undefined ? own.url : `${own.url}#${anchor}`;
}
