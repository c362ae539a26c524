// Runs the kit on public packages, and compares what comes with what people have judged: targets/README.md.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The processes that this one starts end with it, also where a signal ends it.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.once(signal, () => process.exit(code));
const root = fileURLToPath(new URL('..', import.meta.url));
const { targetsCommand } = await import(join(root, 'dist/src/sdks/index.js'));
process.exitCode = await targetsCommand(process.argv.slice(2), root, (text) => process.stdout.write(text));
