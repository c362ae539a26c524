import { jsonWithoutCommands } from '../src/wire/index.js';

/** JSON that has no effect on a terminal or a runner of CI jobs: characters of texts that could are escaped. */
export const jsonText = (value: unknown, indent?: number): string =>
  jsonWithoutCommands(JSON.stringify(value, undefined, indent)).replace(
    /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) =>
      Array.from(
        { length: character.length },
        (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
      ).join(''),
  );

/**
 * The text of an object whose last member is a long list, piece by piece: equal to `jsonText` of the whole, which would
 * take several times the memory. `depth`: how deep the object lies in the document.
 */
export function* jsonPieces(
  head: object,
  [name, entries]: readonly [name: string, entries: Iterable<unknown>],
  indent: number,
  depth = 0,
): Generator<string, void, undefined> {
  const margin = (levels: number): string => `\n${' '.repeat(indent * (depth + levels))}`;
  const at = (levels: number, value: unknown): string => jsonText(value, indent).replaceAll('\n', margin(levels));
  const { length } = margin(0);
  const start = at(0, head);
  yield start === '{}' ? '{' : `${start.slice(0, -length - 1)},`;
  yield `${margin(1)}${JSON.stringify(name)}: [`;
  let isFirst = true;
  for (const entry of entries) {
    yield `${isFirst ? '' : ','}${margin(2)}${at(2, entry)}`;
    isFirst = false;
  }
  yield isFirst ? `]${margin(0)}}` : `${margin(1)}]${margin(0)}}`;
}
