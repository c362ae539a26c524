import { BlockList, isIP } from 'node:net';

// Hosts that nobody can reach from the public net: RFC 1918, RFC 6598, RFC 4193, and the names of RFC 2606, 6761, 6762, 8375.

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
const innerName = /\.(localhost|test|local|internal|invalid|example|lan|home|corp|intranet|home\.arpa)$/;

/** `hostname` as the URL class gives it: lower case, IPv6 in brackets. */
export function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const family = isIP(host);
  if (family !== 0) return !inner.check(host, family === 4 ? 'ipv4' : 'ipv6');
  // A name without a dot is known to one network only.
  return host.includes('.') && !innerName.test(host);
}
