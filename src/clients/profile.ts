import { charging } from '../../packs/options.js';
import { type Dialect, dialects } from '../dialect/index.js';
import { type Ledger, loadLedger, overlaid } from '../ledger/index.js';

// Profiles of clients: `client-1.0-grpc` is a client of A2A 1.0 over gRPC.

/** The profile of clients of a version and binding; undefined: the kit has no requirements for them. */
export const clientProfileOf = ({ id, clientLedger }: Dialect): string | undefined =>
  clientLedger && `client-${id.replace(/^a2a-/, '')}`;

/** The version and binding of a profile of clients; undefined: it is not such a profile. */
export const dialectOfClient = (profile: string): Dialect | undefined =>
  dialects.find((dialect) => clientProfileOf(dialect) === profile);

/** Every profile of clients, with its rows. */
export const clientProfiles = (chosen: readonly Dialect[] = dialects): readonly { id: string; ledger: Ledger }[] =>
  chosen.flatMap((dialect) => {
    const id = clientProfileOf(dialect);
    return id === undefined ? [] : [{ id, ledger: clientLedger(dialect) }];
  });

/**
 * Sentences of 0.3 that hold too where requests are signed: the envelope of JSON-RPC, and what a message says of tasks.
 */
const ofSigned = new Set<string | undefined>([
  'client.rpc-post',
  'client.rpc-media-type',
  'client.rpc-version',
  'client.rpc-method',
  'client.rpc-id',
  'client.rpc-id-not-null',
  'client.follow-up-task-id',
  'client.finished-task-not-reused',
]);
function sharedWithSigned(): Ledger {
  const whole = loadLedger('client-0.3');
  const rowsOf: Ledger['rowsOf'] = (key) => (ofSigned.has(key) ? whole.rowsOf(key) : []);
  return { ...whole, rows: whole.rows.filter(({ key }) => ofSigned.has(key)), row: (key) => rowsOf(key)[0], rowsOf };
}

/** The requirement rows of clients of a version, and of payments where it has them; those of other bindings left out. */
export function clientLedger({ clientLedger: own = 'client-1.0', binding, pays, signed }: Dialect): Ledger {
  const plain = loadLedger(own);
  const whole =
    signed === undefined
      ? overlaid(plain, ...(pays ? [loadLedger(charging.clientLedger)] : []))
      : overlaid(sharedWithSigned(), plain);
  // Streams of gRPC are messages, not Server-Sent Events.
  const isHere = ({ binding: only, needs }: Ledger['rows'][number]): boolean =>
    (only === undefined || only === binding.id) && !(binding.id === 'grpc' && needs.includes('sse'));
  const placed = (row: Ledger['rows'][number]): Ledger['rows'][number] => ({
    ...row,
    section: row.sections?.[binding.id] ?? row.section,
  });
  const rowsOf: Ledger['rowsOf'] = (key) => whole.rowsOf(key).filter(isHere).map(placed);
  return { ...whole, rows: whole.rows.filter(isHere).map(placed), row: (key) => rowsOf(key)[0], rowsOf };
}
