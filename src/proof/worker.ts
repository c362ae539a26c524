import { parentPort, workerData } from 'node:worker_threads';
import { dialectById, dialects } from '../dialect/index.js';
import type { Rule } from '../kit/index.js';
import { faults, impostors, variants } from '../reference/index.js';
import { play } from './cell.js';
import type { Job } from './stage.js';

// A thread of the proof: gets jobs, answers each with a row.

// Codecs load on use; the first agent of a thread would be judged at other moments of virtual time than the next ones.
await Promise.all(dialects.map(({ binding }) => binding.load?.()));
const { rules } = (await import(workerData as string)) as { readonly rules: readonly Rule[] };

parentPort?.on('message', ({ profile, x402, role }: Job) => {
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error(`no dialect ${profile}`);
  void play({ dialect, rules, faults, variants, impostors, x402 }, role).then((row) => parentPort?.postMessage(row));
});
