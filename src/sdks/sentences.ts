import { loadLedger, type Requirement } from '../ledger/index.js';

/** The ledgers in which sentences of targets stand, the newest version first: its words stand for all. */
const ledgers = ['a2a-1.0', 'a2a-0.3', 'a2a-0.2', 'client-1.0', 'client-0.3', 'client-0.2'].flatMap((id) =>
  id === 'a2a-0.2' || id.startsWith('client') ? [id] : [id, `${id}-rest`, `${id}-grpc`],
);

/** Every row, by its id. */
export function rowsById(): ReadonlyMap<string, Requirement> {
  const rows = new Map<string, Requirement>();
  for (const id of ledgers) for (const row of loadLedger(id).rows) if (!rows.has(row.id)) rows.set(row.id, row);
  return rows;
}
