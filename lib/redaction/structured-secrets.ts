import { marker, type Rule } from './rule';

/** Secrets that are known by the form around them. */
export const structuredSecrets: Rule[] = [
  {
    kind: 'private key',
    // Up to the next dashes, not to a matching end: a thousand beginnings stay linear.
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----((?:(?!-----)[\s\S])*)(-----END [A-Z0-9 ]{0,60}-----)?/g,
    replace: ([, body = '', end], shown) =>
      end
        ? shown
        : shown + body.replace(/^(?:\s|\\[nr]|[A-Za-z0-9+/=]{16,}|[A-Z][A-Za-z-]+: [^\n]*\n)+/, ''),
  },
  {
    kind: 'jwt',
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*/g,
  },
  {
    kind: 'connection string password',
    // The last @ before a slash or space ends a password, since one may stand in it unescaped.
    pattern: /\b([a-z][a-z0-9+.-]{1,30}:\/\/[^\s:@/"'<>]{0,200}:)([^\s"'<>/]{1,300})@/gi,
    replace: ([all, before = ''], shown) =>
      `${before}${/^https?:/i.test(all) ? marker('basic auth') : shown}@`,
  },
  {
    kind: 'basic auth',
    pattern: /\b(Basic\s{1,4})([A-Za-z0-9+/_-]{8,}={0,2})(?![A-Za-z0-9])/gi,
    replace: ([all, before, value = ''], shown) =>
      decodesTo(value, /^[^\s:]{0,200}:/) ? `${before}${shown}` : all,
  },
  {
    kind: 'bearer token',
    pattern: /\b(Bearer\s{1,4})([A-Za-z0-9._~+/=-]{8,})/gi,
    // "Bearer authentication" is prose.
    replace: ([all, before, value = ''], shown) =>
      /[0-9._~+/=]/.test(value.slice(0, 60).replace(/[.]$/, '')) || value.length >= 24
        ? `${before}${shown}`
        : all,
  },
  {
    kind: 'authorization header',
    pattern:
      /\b((?:proxy-)?authorization["']?\s{0,4}:\s{0,4}["']?(?:[A-Za-z-]{2,20} )?)([^\s"',;]{8,})/gi,
    replace: ([, before], shown) => `${before}${shown}`,
  },
];

/** True when `value` is base64 of printable text that matches. */
export function decodesTo(value: string, pattern: RegExp): boolean {
  const text = Buffer.from(value.slice(0, 4_096), 'base64').toString('latin1');
  return /^[\x20-\x7e\r\n\t]{6,}$/.test(text) && pattern.test(text);
}
