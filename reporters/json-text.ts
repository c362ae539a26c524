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
