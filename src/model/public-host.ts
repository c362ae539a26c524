import { isInnerAddress } from './inner-addresses.js';

// Hosts that cannot be reached from the public internet: RFC 1918, RFC 6598, RFC 4193, and the names of RFC 2606, 6761,
// 6762, 8375.

const innerName = /\.(localhost|test|local|internal|invalid|example|lan|home|corp|intranet|home\.arpa)$/;

/** `hostname` as the URL class gives it: lower case, IPv6 in brackets. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isInner = isInnerAddress(hostname);
  if (isInner !== undefined) return !isInner;
  // A name without a dot is known in its local network only.
  return host.includes('.') && !innerName.test(host);
}
