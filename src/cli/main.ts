#!/usr/bin/env node
import { runCommandLine } from './command-line.js';
import { processTerminal } from './terminal.js';

const terminal = processTerminal();
const code = await runCommandLine(process.argv.slice(2), terminal);
// What was written may still be on its way to a pipe, and a target that hangs must not keep the process alive.
for (const stream of [process.stdout, process.stderr])
  await new Promise<void>((resolve) => stream.write('', () => resolve()));
process.exit(code);
