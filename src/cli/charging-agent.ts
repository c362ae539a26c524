import type { Dialect } from '../dialect/index.js';
import { TckError } from '../model/tck-error.js';
import { createFacilitator, type Facilitator } from '../reference/index.js';
import { realClock } from '../wire/index.js';

const sellers: readonly Dialect['id'][] = ['a2a-0.3', 'a2a-1.0'];

/** The facilitator beside the reference agent when it charges; undefined when it does not. Throws `TckError('usage')`. */
export function facilitatorFor(dialect: Dialect, charges: boolean): Facilitator | undefined {
  if (!charges) return undefined;
  if (!sellers.includes(dialect.id)) {
    throw new TckError('usage', `--profile ${dialect.id} has no payments`, `give one of ${sellers.join(', ')}`);
  }
  return createFacilitator({ clock: realClock });
}
