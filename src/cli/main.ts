#!/usr/bin/env node
import { framesOf, nameOfDefect } from '../model/tck-error.js';
import { runCommandLine } from './command-line.js';
import { processTerminal } from './terminal.js';

const isDebugging = process.env['A2A_TCK_DEBUG'] === '1';
// Warnings of Node and of libraries do not concern the user.
if (!isDebugging) process.removeAllListeners('warning').on('warning', () => undefined);
// Node would exit with 1, which means that the agent failed.
process.on('uncaughtException', (error) => {
  const frames = isDebugging ? framesOf(error) : [];
  process.stderr.write(`${[`a2a-tck: the kit itself failed: ${nameOfDefect(error)}`, ...frames].join('\n')}\n`);
  process.exit(70);
});

const terminal = processTerminal();
const code = await runCommandLine(process.argv.slice(2), terminal);
// Waits until all output has reached its pipe. Then exits: a target that hangs must not keep the process alive.
for (const stream of [process.stdout, process.stderr])
  await new Promise<void>((resolve) => stream.write('', () => resolve()));
const lost = terminal.lost();
if (lost !== undefined) process.stderr.write(`a2a-tck: stdout cannot be written: ${lost}\n`);
process.exit(lost === undefined ? code : 2);
