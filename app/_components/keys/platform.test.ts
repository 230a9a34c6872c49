import { describe, expect, it } from 'vitest';
import { modKey, platformOf } from './platform';

const CHROME_MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
const FIREFOX_LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const EDGE_WINDOWS =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Edg/140.0.0.0';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15';

describe('[PAG-1.4] the platform of a reader', () => {
  it.each([
    ['apple', { 'user-agent': CHROME_MAC }],
    ['apple', { 'user-agent': IPHONE }],
    ['apple', { 'user-agent': CHROME_MAC, 'sec-ch-ua-platform': '"macOS"' }],
    ['other', { 'user-agent': CHROME_MAC, 'sec-ch-ua-platform': '"Linux"' }],
    ['other', { 'user-agent': FIREFOX_LINUX }],
    ['other', { 'user-agent': EDGE_WINDOWS, 'sec-ch-ua-platform': '"Windows"' }],
    ['other', {}],
  ] as const)('is %s for %j', (platform, headers) => {
    expect(platformOf(new Headers(headers))).toBe(platform);
  });

  it.each([
    ['apple', '⌘K'],
    ['other', 'Ctrl K'],
  ] as const)('%s: %s', (platform, text) => {
    expect(modKey(platform, 'K')).toBe(text);
  });
});
