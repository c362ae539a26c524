import { type Dialect, dialectById, dialects } from '../dialect/index.js';
import { type Ledger, loadLedger, overlaid } from '../ledger/index.js';

// Profiles of clients: `client-1.0-grpc` is a client of A2A 1.0 over gRPC.

/** The profile of clients of a version and binding; undefined: the kit has no requirements for them. */
export const clientProfileOf = ({ id }: Dialect): string | undefined =>
  /^a2a-(1\.0|0\.3|0\.2)(-|$)/.test(id) ? id.replace(/^a2a-/, 'client-') : undefined;

/** The version and binding of a profile of clients; undefined: it is no such profile. */
export const dialectOfClient = (profile: string): Dialect | undefined =>
  profile.startsWith('client-') ? dialectById(profile.replace(/^client-/, 'a2a-')) : undefined;

/** Every profile of clients, with its rows. */
export const clientProfiles = (chosen: readonly Dialect[] = dialects): readonly { id: string; ledger: Ledger }[] =>
  chosen.flatMap((dialect) => {
    const id = clientProfileOf(dialect);
    return id === undefined ? [] : [{ id, ledger: clientLedger(dialect) }];
  });

/** The requirement rows of clients of a version, and of payments where it has them; those of other bindings left out. */
export function clientLedger({ id, like = id, binding, pays }: Dialect): Ledger {
  const plain = loadLedger(`client-${like.replace(/^a2a-/, '')}`);
  const whole = pays ? overlaid(plain, loadLedger('client-x402')) : plain;
  // Streams of gRPC are messages, not Server-Sent Events.
  const isHere = ({ binding: only, needs }: Ledger['rows'][number]): boolean =>
    (only === undefined || only === binding.id) && !(binding.id === 'grpc' && needs.includes('sse'));
  return {
    ...whole,
    rows: whole.rows.filter(isHere),
    row: (key) => whole.rowsOf(key).find(isHere),
    rowsOf: (key) => whole.rowsOf(key).filter(isHere),
  };
}
