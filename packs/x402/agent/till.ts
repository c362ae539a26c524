import { createHash } from 'node:crypto';
import type { Dialect } from '../../../src/dialect/index.js';
import { payingDialects } from '../../../src/dialect/index.js';
import { TckError } from '../../../src/model/index.js';
import type { Patch, Stub, Variant } from '../../../src/reference/patching.js';
import type { Charging } from '../../../src/run/index.js';
import type { Clock } from '../../../src/wire/index.js';
import { caip2Of, tokens } from '../payments/index.js';
import type { chargingBy, X402Options, X402Target } from '../run/index.js';
import { facilitatorControlHandle } from './facilitator/control.js';
import { createFacilitator } from './facilitator/facilitator.js';
import { merchant } from './merchant.js';

/** What the reference agent needs where it charges: a facilitator, whose money is play money. */
export interface Till extends Stub {
  /** Makes the agent one that charges, and settles through the service. */
  readonly patch: Patch;
  /** For a run on the agent: play money pays, unless the variant shows an agent without it. */
  callers(variant: Variant | undefined, given: { readonly x402?: X402Target }): { readonly x402: X402Target };
  /** The same for a proof, in which each run makes the same payments. */
  proving(variant: Variant | undefined): Charging;
}

/** A source of bytes that are the same in each run. */
function repeatable(): X402Options['random'] {
  let count = 0;
  return (length) => createHash('shake256', { outputLength: length }).update(`x402 ${count++}`).digest();
}

/** `judgedBy`: makes of options how the agent is judged. Throws `TckError('usage')` for a profile without payments. */
export function till(dialect: Dialect, clock: Clock, judgedBy: typeof chargingBy): Till {
  if (!dialect.pays) {
    const paying = payingDialects.map(({ id }) => id).join(', ');
    throw new TckError('usage', `--profile ${dialect.id} has no payments`, `give one of ${paying}`);
  }
  const { handle, control } = createFacilitator({ clock });
  const playMoney = (variant: Variant | undefined) => (variant?.told?.['stub'] === false ? {} : { stub: control });
  return {
    patch: merchant({}, { url: 'http://facilitator.test', carrier: handle }),
    callers: (variant, { x402 }) => ({ x402: { ...playMoney(variant), ...x402 } }),
    proving: (variant) =>
      judgedBy({ message: 'paid-echo', timeoutMs: 60_000, random: repeatable(), ...playMoney(variant) }),
    service: handle,
    control: facilitatorControlHandle(control),
    about: (urls) => [
      `  the facilitator that it settles through: ${urls.service}`,
      `  its control: ${urls.control}`,
      'Messages that begin with paid-echo cost play money, which exists nowhere else. To judge it:',
      `  a2a-tck --url ${urls.agent} --x402 --x402-stub ${urls.control}`,
      `  a2a-tck --url ${urls.agent} --x402    without money, as with any agent`,
    ],
  };
}

/** A stub of the facilitator that agents ask about payments. Throws `TckError('usage')`. */
export function stub(clock: Clock, { chainId }: { readonly chainId?: string | undefined }): Stub {
  if (chainId !== undefined) throw new TckError('usage', '--chain-id is for the stub of a chain', 'leave it out');
  const { handle, control } = createFacilitator({ clock });
  return {
    service: handle,
    control: facilitatorControlHandle(control),
    about: (urls) => [
      'A stub of an x402 facilitator, and its control. Ctrl-C ends it.',
      `  1. start the agent with ${urls.service} as its facilitator, at one of the tokens below`,
      `  2. a2a-tck --url <agent> --x402 --x402-stub ${urls.control}`,
      'It moves play money only, on no chain. Tokens:',
      ...tokens.map(({ chainId: id, asset, name }) => `  ${caip2Of(id).padEnd(15)} ${asset}  ${name}`),
    ],
  };
}
