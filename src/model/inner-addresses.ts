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

/**
 * Whether an address is of a machine, link or private net, and not to be reached from the public one. `hostname` as the
 * URL class gives it, IPv6 in brackets; undefined for a name.
 */
export function isInnerAddress(hostname: string): boolean | undefined {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const family = isIP(host);
  return family === 0 ? undefined : inner.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** The machine itself, by any of its names (RFC 6761 §6.3). `hostname` as the URL class gives it. */
export const isLoopback = (hostname: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
