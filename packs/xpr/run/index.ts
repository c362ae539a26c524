import type { CallSigning } from '../../../src/run/index.js';
import type { Carrier } from '../../../src/wire/index.js';
import { signingBy } from './prepare.js';
import { type XprTarget, xprFor } from './target.js';

export { fuzzPart } from '../fuzz/index.js';
export type { XprTarget } from './target.js';

/** How calls are signed with the options of the user, and what must appear in no output. Throws as `xprFor` does. */
export async function signingFor(
  target: XprTarget,
  carrier: Carrier,
): Promise<{ readonly signing: CallSigning; readonly secrets: readonly string[] }> {
  const { options, secrets } = await xprFor(target, carrier);
  return { signing: signingBy(options), secrets };
}
