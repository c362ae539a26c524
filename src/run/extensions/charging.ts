import type { MoreDocuments } from '../../kit/index.js';
import type { Ledger } from '../../ledger/index.js';
import type { PaymentReport } from '../../report/index.js';
import type { Clock, Header, LateSecret } from '../../wire/index.js';
import type { Detected } from '../detection/detect.js';
import type { SceneAddition } from './signing.js';

// What the pack of payments does on an agent that charges. The run knows neither wallets nor what is paid.

export interface PreparingCharges {
  readonly clock: Clock;
  /** The headers of the user, of every call. */
  readonly credentials: readonly Header[];
  /** Called with all payments whenever one was signed or settled, before it is sent. */
  hear(list: readonly PaymentReport[]): void;
}

/** What a campaign of the fuzzer has to know of payments. */
export interface Charges {
  /** The pack: the options about payments begin with its name. */
  readonly pack: string;
  /** Text of the message that the agent charges for. */
  readonly message: string;
  /** Unix seconds by the agent's clock. */
  seconds(): number;
}

/** Everything that a run has to know of payments. */
export interface PreparedCharges {
  readonly charges: Charges;
  readonly addition: SceneAddition;
  /** The headers of every call, in place of the user's. */
  readonly credentials: readonly Header[];
  readonly documents: MoreDocuments;
  /** Texts that must appear in no output; the list only grows. */
  lateSecrets(): readonly LateSecret[];
  /** Payments with the user's money; undefined without any. */
  payments(): readonly PaymentReport[] | undefined;
  /** What the user should know of the offers, one line each. */
  remarks(): readonly string[];
}

/** How an agent that charges is judged. */
export interface Charging {
  /** The pack: the ids of its checks begin with its name. */
  readonly pack: string;
  /** The rows of the pack, which count beside those of the dialect. */
  readonly ledger: Ledger;
  /** Before the first check. Throws `TckError` for a dialect without payments, and for a service that does not answer. */
  prepare(preparing: PreparingCharges, detected: Detected): Promise<PreparedCharges>;
}
