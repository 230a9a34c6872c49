/** Which modifier the reader's keyboard has. */
export type Platform = 'apple' | 'other';

/**
 * Returns the platform of a browser by its request headers: `sec-ch-ua-platform` where the browser
 * sends it, else the user agent. Anything unknown counts as `other`.
 */
export function platformOf(headers: Pick<Headers, 'get'>): Platform {
  const hint = headers.get('sec-ch-ua-platform')?.replaceAll('"', '').trim();
  if (hint) return /^(?:macOS|iOS|Mac OS X)$/i.test(hint) ? 'apple' : 'other';
  return /Mac OS X|Macintosh|iPhone|iPad/.test(headers.get('user-agent') ?? '') ? 'apple' : 'other';
}

/** Returns how a key with the modifier is written: `⌘K` or `Ctrl K`. */
export function modKey(platform: Platform, key: string): string {
  return platform === 'apple' ? `⌘${key}` : `Ctrl ${key}`;
}
