// States and roles are words in every version; 1.0 spells them as its protobuf does.

const prefix = /^(TASK_STATE_|ROLE_)/;

/** The canonical word: `input-required` for TASK_STATE_INPUT_REQUIRED. */
export const plainWord = (spelled: unknown): string =>
  prefix.test(String(spelled))
    ? String(spelled).replace(prefix, '').toLowerCase().replaceAll('_', '-')
    : String(spelled);

/** A word in the spelling of another word. */
export const spelledLike = (like: unknown, word: string): string => {
  const [, found] = prefix.exec(String(like)) ?? [];
  return found === undefined ? word : `${found}${word.toUpperCase().replaceAll('-', '_')}`;
};
