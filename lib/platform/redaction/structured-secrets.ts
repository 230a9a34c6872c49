import { marker, type Rule } from './rule';

/** Secrets that are known by the form around them. */
export const structuredSecrets: Rule[] = [
  {
    kind: 'private key',
    hint: { sign: '-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY' },
    // Up to the next dashes, not to a matching end: a thousand beginnings stay linear.
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----((?:(?!-----)[\s\S])*)(-----END [A-Z0-9 ]{0,60}-----)?/g,
    replace: ([, body = '', end], shown) =>
      end
        ? shown
        : shown +
          body.replace(
            /^(?:\s|\\[nr\uFDD0\uFDD1]|[A-Za-z0-9+/=]{16,}|[A-Z][A-Za-z-]+: [^\n]*\n)+/,
            '',
          ),
  },
  {
    kind: 'jwt',
    hint: { word: 'eyJ[A-Za-z0-9_-]{8}' },
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*/g,
  },
  {
    kind: 'connection string password',
    hint: { sign: String.raw`:\/\/[^\s:@/"'<>]{0,200}:[^\s"'<>/]{1,300}@` },
    // The last @ before a slash or space ends a password, since one may stand in it unescaped.
    pattern: /\b([a-z][a-z0-9+.-]{1,30}:\/\/[^\s:@/"'<>]{0,200}:)([^\s"'<>/]{1,300})@/gi,
    replace: ([all, before = ''], shown) =>
      `${before}${/^https?:/i.test(all) ? marker('basic auth') : shown}@`,
  },
  {
    // A token in the place of the user, as Git and Sentry take it.
    kind: 'basic auth',
    hint: { sign: ':\\/\\/[A-Za-z0-9_-]{20,200}@' },
    pattern: /\b(https?:\/\/)[A-Za-z0-9_-]{20,200}@/gi,
    replace: ([, before], shown) => `${before}${shown}@`,
  },
  {
    kind: 'connection string password',
    hint: { sign: '@(?:tcp|unix)\\(' },
    // The Go driver's: user:password@tcp(host:port)/database.
    pattern: /:[^\s"'@/]{1,200}@(?=(?:tcp|unix)\()/g,
    replace: (_, shown) => `:${shown}@`,
  },
  {
    kind: 'password hash',
    hint: { sign: '\\$(?:2[abxy]|5|6|y|apr1|argon2(?:id?|d))\\$' },
    pattern:
      /\$(?:2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{53}|(?:5|6|apr1)\$(?:rounds=[0-9]{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{22,86}|y\$[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{40,86}|argon2(?:id?|d)\$v=[0-9]{1,3}\$[a-z0-9=,]{1,60}\$[A-Za-z0-9+/]{8,100}\$[A-Za-z0-9+/]{16,200})/g,
  },
];

/** Returns whether `value` is base64 of printable text that matches. */
export function decodesTo(value: string, pattern: RegExp): boolean {
  const text = Buffer.from(value.slice(0, 4_096), 'base64').toString('latin1');
  return /^[\x20-\x7e\r\n\t]{6,}$/.test(text) && pattern.test(text);
}
