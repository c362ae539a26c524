import { BlockList, isIP } from 'node:net';

// RFC 1122, 1918, 3927, 4193, 4291, 6598.
const inner = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  inner.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  inner.addSubnet(net, prefix, 'ipv6');
}

/** The host name without the brackets of IPv6, and without a final dot. */
const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/**
 * Whether an address is a loopback, link-local or private one, which the public net cannot reach. `hostname` as the URL
 * class gives it, IPv6 in brackets; undefined for a name.
 */
export function isInnerAddress(hostname: string): boolean | undefined {
  const host = bare(hostname);
  const family = isIP(host);
  return family === 0 ? undefined : inner.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/**
 * Whether a host name means this machine: any of its loopback addresses and names (RFC 6761 §6.3). `hostname` as the
 * URL class gives it.
 */
export function isLoopback(hostname: string): boolean {
  const host = bare(hostname);
  const family = isIP(host);
  // An IPv4 address can be written as IPv6: a BlockList matches both forms.
  if (family !== 0) return loopback.check(host, family === 4 ? 'ipv4' : 'ipv6');
  return host === 'localhost' || host.endsWith('.localhost');
}
