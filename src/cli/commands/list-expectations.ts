import type { Behaviour } from '../../kit/index.js';
import { TckError } from '../../model/tck-error.js';
import { excerpt, plural, printable } from '../../wire/text/text.js';
import type { Terminal } from '../terminal.js';

/** What is said, for people: the text, or how many parts there are in its place. */
function saidIn(prompt: string | Behaviour): string {
  if (typeof prompt === 'string') return prompt;
  const { text, parts = [] } = prompt;
  return text ?? plural(parts.length, 'part');
}

/** What the user expects beside the protocol. `config`: the file; undefined: the one that is found; false: none. */
export async function listExpectations(config: string | false | undefined, terminal: Pick<Terminal, 'err'>) {
  const { readTold } = await import('../settings.js');
  const { demandsOf, secretsOfExpectations } = await import('../../expect/index.js');
  const { createRedactor } = await import('../../wire/index.js');
  const { expect = [] } = await readTold(config === undefined ? {} : { config }, terminal);
  if (expect.length === 0) {
    const where = typeof config === 'string' ? `${config} has no expect` : 'no configuration with expect was found';
    throw new TckError('usage', where, '--config <file> names one; docs/expectations.md shows how they are written');
  }
  const redactor = createRedactor(secretsOfExpectations(expect));
  const all = expect.map((expectation) => ({
    name: redactor.text(expectation.name),
    prompts: [expectation.prompt, ...(expectation.next ?? [])].map((prompt) => redactor.text(saidIn(prompt))),
    expected: demandsOf(expectation).map((line) => redactor.text(line)),
  }));
  return {
    document: all,
    rows: all.flatMap(({ prompts, expected }) => [
      ...prompts.map((prompt) => ['  says', printable(excerpt(prompt, 200))]),
      ...expected.map((line) => ['  holds', printable(excerpt(line, 200))]),
    ]),
    groupOf: (at: number) => {
      const ends = all.flatMap(({ name, prompts, expected }) => Array(prompts.length + expected.length).fill(name));
      return printable(String(ends[at]));
    },
    footer: `${plural(all.length, 'expectation')}; a run asks them after all checks`,
  };
}
