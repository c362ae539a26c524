// Writes the sample run of the README anew: the command that stands there is run, and what it prints takes the place of
// what stood below it. Run `npm run build` first.
//   node scripts/readme-sample.js [--check]
// With --check nothing is written, and the exit code is 1 if more than ports, times and ids of tasks differ.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const file = join(root, 'README.md');
const text = readFileSync(file, 'utf8');
const sample = /^ {4}\$ npx a2a-tck@\S+ (demo .*)\n((?: {4}.*\n|\n)+)/m.exec(text);
if (sample === null) throw new Error('README.md has no sample run');
const [whole, command, before] = sample;

const main = join(root, 'dist/src/cli/main.js');
const { stdout, stderr } = spawnSync(process.execPath, [main, ...command.split(' ')], { encoding: 'utf8' });
if (!/exit \d+\s*$/.test(stdout)) throw new Error(`the command of the sample gave no verdict: ${stdout}${stderr}`);
const indented = stdout.trim().replace(/^(?=.)/gm, '    ');
const now = `\n${indented}\n\n`;

/** What is another in each run. */
const steady = (printed) =>
  printed
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
    .replace(/\b[\d.]+ m?s, seed/g, '<time>, seed')
    .replace(/(?:less than 1|[\d.]+) s at the pace/g, '<time> at the pace')
    .replace(/(p50\/p95\/max over \S+:).*/g, '$1 <times>')
    .replace(/\(exchange x\d+\)/g, '(exchange <id>)')
    .replace(/\b0{7}\d-[0-9a-f]{4}-4000-8000-[0-9a-f]{12}\b/g, '<id>');
if (steady(before) === steady(now)) {
  process.exitCode = 0;
} else if (process.argv.includes('--check')) {
  process.stderr.write(`README.md shows another run; write it anew with node scripts/readme-sample.js\n${steady(now)}`);
  process.exitCode = 1;
} else {
  writeFileSync(
    file,
    text.replace(whole, () => whole.replace(before, () => now)),
  );
}
