import { readFileSync } from 'node:fs';

/** A block whose first line is a comment with the name of a file, such as `# conftest.py` or `// src/Main.java`. */
const block = /^```\w+\n(?:#|\/\/|<!--) ([\w./-]+\.\w+)(?: -->)?\n([\s\S]*?)^```/gm;

/** The files that a page of the guide shows, by their names: readers copy them, and tests run them. */
export const filesIn = (page: string): ReadonlyMap<string, string> =>
  new Map([...readFileSync(page, 'utf8').matchAll(block)].map(([, name = '', text = '']) => [name, text]));
