/** A link that a browser may follow; null for `javascript:`, `data:`, relative ones and the rest. */
export function webAddress(url: string): { href: string; host: string } | null {
  if (!URL.canParse(url)) return null;
  const { protocol, href, host, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  // `https://shop.example@evil.example/` reads like another host.
  return username === '' && password === '' ? { href, host } : null;
}
