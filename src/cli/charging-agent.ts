import { type Dialect, payingDialects } from '../dialect/index.js';
import { TckError } from '../model/tck-error.js';
import { createFacilitator, type Facilitator } from '../reference/index.js';
import { realClock } from '../wire/index.js';

/** The facilitator beside the reference agent when it charges; undefined when it does not. Throws `TckError('usage')`. */
export function facilitatorFor(dialect: Dialect, charges: boolean): Facilitator | undefined {
  if (!charges) return undefined;
  if (!dialect.pays) {
    const paying = payingDialects.map(({ id }) => id).join(', ');
    throw new TckError('usage', `--profile ${dialect.id} has no payments`, `give one of ${paying}`);
  }
  return createFacilitator({ clock: realClock });
}
