import { jsonWithoutCommands } from '../src/wire/index.js';

/** JSON that does nothing to a terminal, nor to a runner of CI jobs: in texts, what could stands as an escape. */
export const jsonText = (value: unknown, indent?: number): string =>
  jsonWithoutCommands(JSON.stringify(value, undefined, indent)).replace(
    /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) =>
      Array.from(
        { length: character.length },
        (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
      ).join(''),
  );
