/** Splits `host:port` or `[v6]:port`; null when it is neither. */
export function parseHostPort(target: string): { host: string; port: number } | null {
  const match = /^(?:\[([0-9A-Fa-f:.%]+)\]|([^\s:/[\]]+)):(\d{1,5})$/.exec(target.trim());
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (!host || port < 1 || port > 65_535) return null;
  return { host, port };
}

/** The target as it may be shown: the password of a URL is replaced. */
export function shownTarget(target: string): string {
  return target.replace(/^([a-z][a-z0-9+.-]*:\/\/[^\s:@/]*):[^\s/]+@/i, '$1:[redacted]@');
}
