/** Of whoever sent the request: the last hop that a proxy in front saw, or what Next saw itself. */
export function clientAddress(headers: Headers): string {
  const hops = (headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim());
  return hops.at(-1) || 'unknown';
}
