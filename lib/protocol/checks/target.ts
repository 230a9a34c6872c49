/** Splits `host:port` or `[v6]:port`; null when it is neither. */
export function parseHostPort(target: string): { host: string; port: number } | null {
  const match = /^(?:\[([0-9A-Fa-f:.%]+)\]|([^\s:/[\]]+)):(\d{1,5})$/.exec(target.trim());
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (!host || port < 1 || port > 65_535) return null;
  return { host, port };
}

const HTTPS_PORT = 443;

/** Returns the host and port of a tls check: `host`, `host:port` or an https URL; null for others. */
export function parseTlsTarget(target: string): { host: string; port: number } | null {
  const text = target.trim();
  if (/^https:\/\//i.test(text)) {
    if (!URL.canParse(text)) return null;
    const { hostname, port } = new URL(text);
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || HTTPS_PORT };
  }
  const bare = /^(?:\[([0-9A-Fa-f:.%]+)\]|([^\s:/[\]]+))$/.exec(text);
  const host = bare?.[1] ?? bare?.[2];
  return host ? { host, port: HTTPS_PORT } : parseHostPort(text);
}

/** The target as it may be shown: the password of a URL is replaced. */
export function shownTarget(target: string): string {
  return target.replace(/^([a-z][a-z0-9+.-]*:\/\/[^\s:@/]*):[^\s/]+@/i, '$1:[redacted]@');
}

/** Returns the host of a URL; null for another text. */
export function hostOfUrl(target: string): string | null {
  return URL.canParse(target) ? new URL(target).hostname : null;
}

export function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text.trim()) && URL.canParse(text.trim());
}

export function isHostName(text: string): boolean {
  return /^[A-Za-z0-9](?:[\w.:-]*[A-Za-z0-9])?$/.test(text);
}

const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?=\d)|$)){4}$/;

/** As `isIP` of Node, which browsers don't have. */
export function isIpAddress(text: string): boolean {
  if (IPV4.test(text)) return true;
  const [address = '', zone = '0', ...more] = text.split('%');
  const isAddress = /^[\da-f:.]+$/i.test(address) && URL.canParse(`http://[${address}]`);
  return isAddress && /^[\w.-]+$/.test(zone) && more.length === 0;
}
