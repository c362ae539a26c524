import { type BrokenPlace, type Document, type Law, law, placesOf } from '../kit/index.js';
import { ownInspector, type RequirementKey } from '../ledger/index.js';
import { isObject, type JsonObject } from '../model/index.js';

/** A value in a document, and its JSON pointer. */
export interface Place {
  readonly path: string;
  readonly value: unknown;
}

/** Values of a document that are looked at; the agent may send more. */
const mostValues = 20_000;

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * The members of a name, wherever they are in a document, without those in messages of the client, which an agent shows
 * again in a history. Looks at 20,000 values at most.
 */
export function membersNamed(document: unknown, name: string): readonly Place[] {
  const found: Place[] = [];
  const places: Place[] = [{ path: '', value: document }];
  for (let at = 0; at < places.length; at++) {
    const { path, value } = places[at] as Place;
    if (typeof value !== 'object' || value === null) continue;
    if (isObject(value) && typeof value['role'] === 'string' && !/agent/i.test(value['role'])) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (places.length >= mostValues) break;
      const place = { path: `${path}/${escaped(key)}`, value: inner };
      if (key === name && !Array.isArray(value)) found.push(place);
      places.push(place);
    }
  }
  return found;
}

export interface ConformsOptions {
  /** JSON Schema 2020-12. */
  readonly schema: JsonObject;
  /** The values in a document that the schema is about. */
  readonly at: (document: Document) => readonly Place[];
  /** Who or what the law is about: "every timestamp". */
  readonly subject?: string;
  /** The reason when no document has such a value: "no answer with a timestamp came back". */
  readonly otherwise: string;
  readonly advice: string;
}

/**
 * A law that a schema decides: every value at these places fits it. Throws an Error that names the fault of the schema.
 */
export function conforms(
  id: `${string}/${string}`,
  key: string,
  about: string,
  { schema, at, ...options }: ConformsOptions,
): Law {
  const inspect = ownInspector(schema);
  const brokenIn = (found: readonly Place[]): readonly BrokenPlace[] =>
    found.flatMap(({ path, value }) =>
      inspect(value).map(({ path: inner, message, seen }) => ({ path: `${path}${inner}`, problem: message, seen })),
    );
  return law(
    id,
    key as RequirementKey,
    about,
    { ...options, places: (document) => brokenIn(at(document)) },
    ({ documents, valid }) => {
      let isSeen = false;
      for (const document of valid ? documents : []) {
        const found = at(document);
        isSeen ||= found.length > 0;
        const broken = brokenIn(found);
        if (broken.length > 0)
          return placesOf(
            document.name,
            broken.map(({ path, problem, seen = '' }) => ({ rule: key, path, message: problem, seen })),
          );
      }
      return isSeen ? 'holds' : 'not-concerned';
    },
  );
}
