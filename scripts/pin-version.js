// Writes the version of package.json wherever the documents run or use the kit by name; npm version runs it. A
// document never runs the name at a version that is not pinned: the next publisher would decide what it does.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
for (const name of ['README.md', 'SKILL.md', ...pages.map((page) => `docs/${page}`)]) {
  const file = join(root, name);
  const text = readFileSync(file, 'utf8');
  const pinned = text.replace(/\ba2a-tck@v?\d+\.\d+\.\d+(?:-[\w.]+)?/g, (found) =>
    found.startsWith('a2a-tck@v') ? `a2a-tck@v${version}` : `a2a-tck@${version}`,
  );
  if (pinned !== text) writeFileSync(file, pinned);
}
