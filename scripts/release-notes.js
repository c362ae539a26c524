// Prints what CHANGELOG.md says of a version; exits with 1 if it says nothing.
//   node scripts/release-notes.js 1.2.3
import { readFileSync } from 'node:fs';

const [version = ''] = process.argv.slice(2);
const text = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');
const sections = text.split(/^## /m).slice(1);
const section = sections.find((section) => section.startsWith(`[${version}]`) || section.startsWith(`${version} `));
const notes = section?.slice(section.indexOf('\n')).trim() ?? '';
if (notes === '') {
  process.stderr.write(`CHANGELOG.md says nothing of version ${version}\n`);
  process.exit(1);
}
process.stdout.write(`${notes}\n`);
