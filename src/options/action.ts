import { groups } from './index.js';
import type { Option } from './shared/option.js';

interface Input {
  readonly option: string;
  readonly kind: Option['kind'];
  readonly input: string;
  readonly about: string;
  readonly usual?: string;
}

const inputs = (): readonly Input[] =>
  Object.values(groups).flatMap(({ options }) =>
    Object.entries(options).flatMap(([option, { kind, action }]) =>
      action === undefined ? [] : [{ option, kind, ...action }],
    ),
  );

const variableOf = ({ input }: Input): string => `TCK_${input.replaceAll('-', '_').toUpperCase()}`;

function wordsOf(input: Input): string {
  const variable = variableOf(input);
  if (input.kind.is === 'flag') return `if [ "$${variable}" = true ]; then options+=(--${input.option}); fi`;
  // An input with another name is the secret itself: the option gets the name of the variable that holds it.
  const value = input.input === input.option ? `"$${variable}"` : variable;
  return `if [ -n "$${variable}" ]; then options+=(--${input.option} ${value}); fi`;
}

/** Lines of the parts of action.yml that have a mark, by the word in it. */
const parts: Readonly<Record<string, (input: Input) => readonly string[]>> = {
  inputs: ({ input, about, usual = '' }) => [`${input}:`, `  description: ${about}`, `  default: '${usual}'`],
  variables: (input) => [`${variableOf(input)}: \${{ inputs.${input.input} }}`],
  words: (input) => [wordsOf(input)],
};

/** The text of action.yml with the options that are inputs of the action. */
export const actionWith = (text: string): string =>
  text.replace(/^( *)# options: (\w+)\n(?:.*\n)*? *# options end\n/gm, (_, indent: string, part: string) =>
    [`# options: ${part}`, ...inputs().flatMap((input) => parts[part]?.(input) ?? []), '# options end']
      .map((line) => `${indent}${line}\n`)
      .join(''),
  );
