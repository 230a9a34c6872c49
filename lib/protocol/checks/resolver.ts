import { isIP } from 'node:net';
import { parseHostPort } from './target';

/** Returns whether a name server is an IP address, `1.1.1.1`, `1.1.1.1:5353` or `[::1]:53`. */
export function isResolver(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const parts = parseHostPort(text);
  return parts !== null && isIP(parts.host) !== 0;
}
