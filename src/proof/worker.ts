import { parentPort, workerData } from 'node:worker_threads';
import { dialectById } from '../dialect/index.js';
import type { Rule } from '../kit/index.js';
import { faults, impostors, variants } from '../reference/index.js';
import { type Cast, play, type Role } from './cell.js';
import type { WorkerTask } from './stage.js';

// A thread of the proof: gets roles, answers with rows.

const { profile, rulesUrl, x402 } = workerData as WorkerTask;
const { rules } = (await import(rulesUrl)) as { readonly rules: readonly Rule[] };
const dialect = dialectById(profile);
if (dialect === undefined) throw new Error(`no dialect ${profile}`);
const cast: Cast = { dialect, rules, faults, variants, impostors, x402 };

parentPort?.on('message', (role: Role) => {
  void play(cast, role).then((row) => parentPort?.postMessage(row));
});
