/** Letters with an accent that a careless comparison ignores. All are Latin-1, so that a header can carry them. */
const marks: Readonly<Record<string, string>> = { a: 'á', c: 'ç', e: 'é', i: 'í', n: 'ñ', o: 'ó', u: 'ú', y: 'ý' };
const marked = (name: string): string => {
  const found = name.replace(/[aceinouy]/, (letter) => marks[letter] ?? letter);
  return found === name ? `${name}ü` : found;
};

/** Texts that a careless reader takes for the account. */
export const accountForms = (name: string, other: string): readonly (readonly [about: string, text: string])[] => [
  ['upper case', name.toUpperCase()],
  ['a dot at its end', `${name}.`],
  ['a dot at its beginning', `.${name}`],
  ['13 characters', `${name.padEnd(12, '.')}a`],
  ['300 characters', `${name.padEnd(299, '.')}a`],
  ['a space in it', `${name[0]} ${name.slice(1) || name}`],
  ['another name after a space', `${name} ${other}`],
  ['another name after a comma', `${name},${other}`],
  ['another name before a comma', `${other}, ${name}`],
  ['a letter beyond ASCII', marked(name)],
  ['a path', `../${name}`],
];
