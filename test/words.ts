import ts from 'typescript-5';

/** How many words a text has, as people count them. */
export const wordsIn = (text: string): number => text.split(/\s+/).filter(Boolean).length;

/** Words that leave the subject open, or that the glossary replaces: see docs/glossary.md. */
const forbidden =
  /\b(?:somebody|nobody|anybody|everybody|someone|anyone|everyone|whoever|(?:is|are|was|were) no(?! longer)|lets? (?:it |them |him |her |the \w+ )?in|for ever|(?<!soon )as (?:it is|they are)|what (?:came|comes|became|becomes) of|one way or another|(?<!\/)told|heard)\b/i;

/** The first forbidden word of a text. */
export const forbiddenIn = (text: string): string | undefined => forbidden.exec(text)?.[0];

/** Each comment of a source file, with a line of `//` as one: its text on one line, without its marks and names of code. */
export function commentsOf(source: string): readonly Literal[] {
  const found: Literal[] = [];
  for (const { 0: comment, index } of source.matchAll(
    /^[ \t]*\/\/.*(?:\n[ \t]*\/\/.*)*|\/\*\*[\s\S]*?\*\/| \/\/ .*$/gm,
  ))
    found.push({
      line: source.slice(0, index).split('\n').length,
      text: comment
        .replaceAll(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)|\*\/$/gm, '')
        .replaceAll(/`[^`]*`|"[^"]*"/g, '…')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    });
  return found;
}

/** The function at the beginning of a chain: `test` for `test.each(rows)`. */
const calledFirst = (node: ts.Expression): string | undefined =>
  ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)
    ? calledFirst(node.expression)
    : ts.isIdentifier(node)
      ? node.text
      : undefined;

/** The names of cases and groups of a file of tests. */
export function caseNamesOf(source: string): readonly Literal[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found: Literal[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ['describe', 'test'].includes(calledFirst(node.expression) ?? '')) {
      const [name] = node.arguments;
      if (name !== undefined && ts.isStringLiteralLike(name))
        found.push({ line: file.getLineAndCharacterOfPosition(name.getStart()).line + 1, text: name.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Names of variables, parameters and functions that say nothing of what they hold. */
const emptyName = /^(?:[Oo]ne|[Tt]old|[Uu]ntold|[Hh]eard|[Mm]eeting|[Gg]round)$/;

/** A name that is chosen where it stands; `{ one }` takes that of the member. */
const isNamedHere = (node: ts.Node): node is ts.Node & { readonly name: ts.Node } =>
  ts.isVariableDeclaration(node) ||
  ts.isParameter(node) ||
  (ts.isFunctionDeclaration(node) && node.name !== undefined) ||
  (ts.isBindingElement(node) &&
    (node.propertyName !== undefined || node.dotDotDotToken !== undefined || ts.isArrayBindingPattern(node.parent)));

/** The declarations of a source file whose names say nothing. */
export function emptyNamesIn(source: string): readonly Literal[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const found: Literal[] = [];
  const visit = (node: ts.Node): void => {
    if (isNamedHere(node) && ts.isIdentifier(node.name) && emptyName.test(node.name.text))
      found.push({
        line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1,
        text: node.name.text,
      });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

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
