import { TckError } from '../model/index.js';
import type { Network } from '../wire/index.js';
import type { X402Target } from './x402-target.js';
import type { XprTarget } from './xpr-target.js';

/**
 * Refuses to send what is worth money to an agent whose certificate is not checked. Throws `TckError('usage')`.
 */
export function checkNetwork({
  network,
  x402,
  xpr,
}: {
  readonly network?: Network | undefined;
  readonly x402?: X402Target | undefined;
  readonly xpr?: XprTarget | undefined;
}): void {
  if (network?.insecure !== true) return;
  const hint = 'any program on the way could take the signatures: --ca-file <file> trusts the certificate of the agent';
  if (x402 !== undefined) throw new TckError('usage', '--insecure and --x402 do not go together', hint);
  const signs = [xpr?.account, xpr?.key, xpr?.secondAccount, xpr?.unregisteredAccount].some(
    (text) => text !== undefined,
  );
  if (signs) throw new TckError('usage', '--insecure and calls that are signed do not go together', hint);
}
