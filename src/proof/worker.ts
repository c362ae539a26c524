import { parentPort, workerData } from 'node:worker_threads';
import { faults, variants } from '../../fixtures/faults/index.js';
import { dialectById, dialects } from '../dialect/index.js';
import type { ClientCheck, Rule } from '../kit/index.js';
import { impostors } from '../reference/index.js';
import { play, type Row } from './cell.js';
import { playClient } from './clients.js';
import type { Job, RuleModules } from './stage.js';

// A thread of the proof: gets jobs, answers each with a row.

// Warnings of Node do not concern the user.
process.removeAllListeners('warning').on('warning', () => undefined);

// Codecs load on use; the first agent of a thread would be judged at other moments of virtual time than the next ones.
await Promise.all(dialects.map(({ binding }) => binding.load?.()));
const modules = workerData as RuleModules;
const { rules } = (await import(modules.agents)) as { readonly rules: readonly Rule[] };
const { clientRules } = (await import(modules.clients)) as { readonly clientRules: readonly ClientCheck[] };

function rowOf({ profile, of, role }: Job): Promise<Row> {
  const dialect = dialectById(profile);
  if (dialect === undefined) throw new Error(`no dialect ${profile}`);
  if (of === 'clients') return playClient(role, dialect, clientRules);
  return play({ dialect, rules, faults, variants, impostors, charges: of === 'payments' }, role);
}

parentPort?.on('message', ({ id, job }: { readonly id: number; readonly job: Job }) => {
  void rowOf(job).then((row) => parentPort?.postMessage({ id, row }));
});
