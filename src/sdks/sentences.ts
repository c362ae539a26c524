import { dialects } from '../dialect/index.js';
import { loadLedger, type Requirement } from '../ledger/index.js';

/** The ledgers in which sentences of targets stand, the newest version first: its words stand for all. */
const versions = dialects.filter(({ protocolVersion }) => protocolVersion !== undefined);
const ledgers = new Set([
  ...versions.map(({ ledger }) => ledger),
  ...versions.flatMap(({ clientLedger }) => clientLedger ?? []),
]);

/** Every row, by its id. */
export function rowsById(): ReadonlyMap<string, Requirement> {
  const rows = new Map<string, Requirement>();
  for (const id of ledgers) for (const row of loadLedger(id).rows) if (!rows.has(row.id)) rows.set(row.id, row);
  return rows;
}
