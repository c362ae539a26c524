import ts from 'typescript-5';

/** How many words a text has, as people count them. */
export const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** Words that leave the subject open, or that the glossary replaces: see docs/glossary.md. */
const forbidden =
  /\b(?:somebody|nobody|anybody|everybody|whoever|(?:is|are|was|were) no(?! longer)|lets? (?:it |them |him |her |the \w+ )?in|for ever|(?<!soon )as it is|what came of it|one way or another|told)\b/i;

/** The first forbidden word of a text. */
export const forbiddenIn = (text: string): string | undefined => forbidden.exec(text)?.[0];

/** A text of several words in a source file; `…` stands for an expression in a template. */
export interface Literal {
  readonly line: number;
  readonly text: string;
}

/** All texts of several words in a source file: what users may read. Comments and names are left out. */
export function literalsOf(source: string): readonly Literal[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found: Literal[] = [];
  const add = (node: ts.Node, text: string): void => {
    if (!/\S\s\S/.test(text)) return;
    found.push({
      line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1,
      text: text.replaceAll(/\s+/g, ' '),
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) add(node, node.text);
    if (ts.isTemplateExpression(node))
      add(node, node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join(''));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
