import type { CheckSpec } from '../spec';

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

/** Keeps a shown check within what an event and a page have room for. */
const MAX_SHOWN = 600;

/**
 * Returns the text that identifies a check among those of its kind and service: its target, and what
 * makes another check of the same target: `shop.example MX`, `http://prometheus:9090 up{job="shop"}`.
 */
export function shownCheck(
  check: Pick<CheckSpec, 'type' | 'target' | 'method' | 'recordType' | 'resolver' | 'query'>,
): string {
  const target = shownTarget(check.target);
  const more: Partial<Record<CheckSpec['type'], (string | undefined)[]>> = {
    http: [check.method === 'HEAD' ? '(HEAD)' : undefined],
    dns: [check.recordType, check.resolver && `@${check.resolver}`],
    prometheus: [check.query],
  };
  const words = [target, ...(more[check.type] ?? [])].filter((word) => word !== undefined);
  const text = words.join(' ');
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}
