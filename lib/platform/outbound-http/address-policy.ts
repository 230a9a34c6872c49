import ipaddr from 'ipaddr.js';

export type AddressKind = 'public' | 'private' | 'metadata';

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
const IPV4_COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96');

/** Where clouds answer with a machine's credentials; never a target, whatever the operator allows. */
const METADATA_RANGES = [
  // All of IPv4 link-local: AWS, Azure, Google and OpenStack at .169.254, containers at .170.x.
  '169.254.0.0/16',
  // AWS over IPv6, Google over IPv6.
  'fd00:ec2::/32',
  'fd20:ce::/32',
  // Alibaba, Oracle, Azure's host agent (a public address).
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
].map((range) => ipaddr.parseCIDR(range));

/**
 * What kind of place an IP address is. Anything that is not plain global unicast is private:
 * loopback, RFC 1918, link-local, unique-local, carrier-grade NAT, multicast, reserved, and every
 * IPv6 form that carries an IPv4 address (mapped, 6to4, Teredo, NAT64), which would hide one.
 */
export function classifyAddress(text: string): AddressKind {
  if (!ipaddr.isValid(text)) return 'private';
  const address = ipaddr.parse(text);
  const carried = address instanceof ipaddr.IPv6 ? carriedIpv4(address) : null;
  if (isMetadata(address) || (carried && isMetadata(carried))) return 'metadata';
  if (address instanceof ipaddr.IPv4) return address.range() === 'unicast' ? 'public' : 'private';
  if (address.zoneId || !address.match(GLOBAL_UNICAST)) return 'private';
  return address.range() === 'unicast' ? 'public' : 'private';
}

/** Whether a host is written as an address and not as a name. */
export function isAddress(host: string): boolean {
  return ipaddr.isValid(host);
}

function isMetadata(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return METADATA_RANGES.some(
    ([range, bits]) => range.kind() === address.kind() && address.match(range, bits),
  );
}

/** The IPv4 address a packet to this IPv6 address may end up at. */
function carriedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | null {
  const bytes = address.toByteArray();
  switch (address.range()) {
    case '6to4':
      return new ipaddr.IPv4(bytes.slice(2, 6));
    case 'teredo':
      // Teredo stores the client's address with all its bits turned over.
      return new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff));
    case 'ipv4Mapped':
    case 'rfc6145':
    case 'rfc6052':
      return new ipaddr.IPv4(bytes.slice(12));
    default:
      // ::a.b.c.d, a form of old that some systems still route.
      return address.match(IPV4_COMPATIBLE) ? new ipaddr.IPv4(bytes.slice(12)) : null;
  }
}
