import ipaddr from 'ipaddr.js';
import type { OutboundFailureReason } from './result';

const LONGEST_URL = 2_048;
const METADATA_NAMES = ['metadata.google.internal', 'metadata.goog'];

export interface TargetRules {
  /** Operator setting TIERWATCH_ALLOW_PRIVATE_TARGETS; also allows plain http. */
  allowPrivate: boolean;
}

export type TargetCheck =
  | { ok: true; url: URL }
  | { ok: false; reason: OutboundFailureReason; message: string };

/**
 * Checks a target before its name is resolved. The URL parser has already turned `2130706433`,
 * `0x7f.1` and `0177.0.0.1` into 127.0.0.1, so that only one form has to be checked.
 */
export function checkTarget(text: string, rules: TargetRules): TargetCheck {
  const url = text.length <= LONGEST_URL && URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return refusal('bad_url', 'Enter a full URL, such as https://hooks.example.com/tierwatch.');
  }
  if (url.username || url.password) {
    return refusal('bad_url', 'The URL contains a user name or password. Leave them out.');
  }
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const wrongPlace = isAddress(host) ? checkAddress(host, host, rules) : checkName(host, rules);
  if (wrongPlace) return wrongPlace;
  if (url.protocol === 'http:' && !rules.allowPrivate) {
    return refusal(
      'http_not_allowed',
      'Plain HTTP would send the contents unencrypted. Use HTTPS.',
    );
  }
  return { ok: true, url };
}

/**
 * Returns null if `address`, which `host` resolved to, may be connected to. A refused name gets the
 * same answer as one that doesn't exist, so nobody learns the names of the operator's network.
 */
export function checkAddress(
  host: string,
  address: string,
  rules: TargetRules,
): Extract<TargetCheck, { ok: false }> | null {
  const kind = classifyAddress(address);
  if (kind === 'public' || (kind === 'private' && rules.allowPrivate)) return null;
  if (host !== address) return unusableName(host);
  return refusal(
    kind === 'metadata' ? 'metadata_address' : 'private_address',
    `${host} is a ${kind} address. Deliveries there are refused and not retried.`,
  );
}

/** What is said of a name that has no address, or one that may not be connected to. */
export function unusableName(host: string) {
  return refusal(
    'dns_failed',
    `${host} doesn’t resolve to an address that deliveries may be sent to. Check its spelling and its DNS records.`,
  );
}

function checkName(host: string, rules: TargetRules) {
  if (METADATA_NAMES.includes(host)) {
    return refusal(
      'metadata_address',
      `${host} is a metadata address. Deliveries there are refused and not retried.`,
    );
  }
  if (!rules.allowPrivate && (host === 'localhost' || host.endsWith('.localhost'))) {
    return refusal(
      'private_address',
      `${host} is a private address. Deliveries there are refused and not retried.`,
    );
  }
  return null;
}

function refusal(reason: OutboundFailureReason, message: string) {
  return { ok: false as const, reason, message };
}

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
 * Classifies an IP address. Anything that is not plain global unicast is private: loopback, RFC
 * 1918, link-local, unique-local, carrier-grade NAT, multicast, reserved, and every IPv6 form that
 * carries an IPv4 address (mapped, 6to4, Teredo, NAT64), which would hide one.
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
function isAddress(host: string): boolean {
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
