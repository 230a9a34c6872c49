import ipaddr from 'ipaddr.js';

/** Splits a list of addresses and networks, separated by commas. */
export function splitNetworks(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
}

/** Returns whether the text is an address (`10.0.0.1`) or a network (`10.0.0.0/8`). */
export function isNetwork(text: string): boolean {
  return ipaddr.isValidCIDR(text) || isPlainAddress(text);
}

/** Returns whether an address belongs to one of the networks. */
export function isWithin(address: string, networks: readonly string[]): boolean {
  const wanted = ipaddr.process(address);
  return networks.some((network) => {
    const [base, bits] = readNetwork(network);
    return base.kind() === wanted.kind() && wanted.match(base, bits);
  });
}

/**
 * Returns the address of a client: the nearest sender of the request that isn't a trusted proxy.
 * Each proxy appends the address it received the request from to `X-Forwarded-For`, so only the
 * end of that list is known to be true: what comes before the first untrusted sender is its own text.
 *
 * @param peer the other end of the connection
 */
export function clientOf(
  peer: string,
  forwardedFor: string | undefined,
  trusted: readonly string[],
): string {
  let client = ipaddr.process(peer).toString();
  for (const hop of (forwardedFor ?? '').split(',').reverse()) {
    const next = readHop(hop);
    if (!isWithin(client, trusted) || next === null) break;
    client = next;
  }
  return client;
}

/**
 * Returns what counts as one client in a limit: an IPv4 address, or the /56 of an IPv6 address, since
 * a single subscriber can use all the addresses in it.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/56`)}/56`;
}

/** Some proxies add the port: `192.0.2.1:4312`, `[2001:db8::1]:4312`. */
function readHop(text: string): string | null {
  const [, bracketed, v4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(text.trim()) ?? [];
  const address = bracketed ?? v4 ?? text.trim();
  return isPlainAddress(address) ? ipaddr.process(address).toString() : null;
}

/** Without the spellings of `0x7f.1` and `127.1`, which no proxy writes. */
function isPlainAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

function readNetwork(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}
