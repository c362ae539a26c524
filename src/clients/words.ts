import { TckError } from '../model/index.js';

/**
 * The words of a command line, as a shell splits them: quotes and backslashes, nothing else. Throws `TckError('usage')`
 * for a quote without its end, and for an empty command.
 */
export function commandWords(command: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < command.length; at++) {
    const character = command[at] ?? '';
    if (quote === "'") {
      if (character === quote) quote = '';
      else word = (word ?? '') + character;
    } else if (character === '\\' && at + 1 < command.length) {
      word = (word ?? '') + (command[++at] ?? '');
    } else if (quote === '"') {
      if (character === quote) quote = '';
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== '') throw new TckError('usage', `--command has a ${quote} without its end`);
  if (word !== undefined) words.push(word);
  if (words.length === 0) throw new TckError('usage', '--command is empty', 'give one such as "node client.js"');
  return words;
}

const secretName = /^-{1,2}[\w-]*(token|secret|key|passw(or)?d|passphrase|credentials?)(?:=(.*))?$/is;

/** What looks like a secret among the words of a command: the value of `--token x`, `--api-key=x`, `API_TOKEN=x`. */
export function secretsInCommand(command: string): readonly string[] {
  const words = command.split(/\s+/).map((word) => word.replaceAll(/['"]/g, ''));
  return words.flatMap((word, at) => {
    const inName = /^\w*(?:token|secret|key|passw(?:or)?d|passphrase|credentials?)=(.+)$/is.exec(word)?.[1];
    if (inName !== undefined) return [inName];
    const found = secretName.exec(word);
    if (found === null) return [];
    const value = found[3] ?? words[at + 1];
    return value === undefined || value === '' || value.startsWith('-') ? [] : [value];
  });
}
