import { type BundledTargets, worthOf } from '../../packs/index.js';
import { TckError } from '../model/index.js';
import type { Network } from '../wire/index.js';

/**
 * Refuses to send what is worth money to an agent whose certificate is not checked. Throws `TckError('usage')`.
 */
export function checkNetwork({
  network,
  ...targets
}: BundledTargets & { readonly network?: Network | undefined }): void {
  if (network?.insecure !== true) return;
  const hint = 'any program on the way could take the signatures: --ca-file <file> trusts the certificate of the agent';
  const worth = worthOf(targets);
  if (worth !== undefined) throw new TckError('usage', `--insecure and ${worth} do not go together`, hint);
}
