import { isSecretValue } from './assigned-secrets';
import { providerKeys } from './provider-keys';
import { anyEnd, ends, type Rule } from './rule';
import { decodesTo } from './structured-secrets';

// Both may be quoted, also inside of JSON that is a string in JSON.
const colon = String.raw`(?:\\{0,7}["'])?\s{0,4}:\s{0,4}(?:\\{0,7}["'])?`;
const equals = `(?:=|%3[${ends('dD')}])`;
const cookiePair = String.raw`[^\s;,"'\\=]{1,200}=[^\s;,"'\\]{0,4000}`;

/** Secrets in headers and queries of HTTP requests. */
export const httpSecrets: Rule[] = [
  {
    kind: 'basic auth',
    hint: { word: '[bB][aA][sS][iI][cC]\\s{1,4}[A-Za-z0-9+/_-]{8}' },
    pattern: /\b(Basic\s{1,4})([A-Za-z0-9+/_-]{8,}={0,2})(?![A-Za-z0-9])/gi,
    replace: ([all, before, value = ''], shown) =>
      decodesTo(value, /^[^\s:]{0,200}:/) ? `${before}${shown}` : all,
  },
  {
    kind: 'bearer token',
    hint: { word: '[bB][eE][aA][rR][eE][rR]\\s{1,4}[A-Za-z0-9._~+/=-]{8}' },
    pattern: /\b(Bearer\s{1,4})([A-Za-z0-9._~+/=-]{8,})/gi,
    // "Bearer authentication" is prose.
    replace: ([all, before, value = ''], shown) =>
      /[0-9._~+/=]/.test(value.slice(0, 60).replace(/[.]$/, '')) || value.length >= 24
        ? `${before}${shown}`
        : all,
  },
  {
    kind: 'authorization header',
    hint: { word: '[aA][uU][tT][hH][oO][rR][iI][zZ][aA][tT][iI][oO][nN]' },
    pattern: new RegExp(
      String.raw`\b((?:proxy-)?authorization${colon}(?:[A-Za-z-]{2,20} )?)([^\s"',;\\]{8,})`,
      'gi',
    ),
    replace: ([, before], shown) => `${before}${shown}`,
  },
  {
    // Without an equals sign it is prose about cookies.
    kind: 'cookie',
    hint: { word: '[cC][oO][oO][kK][iI][eE]' },
    pattern: new RegExp(
      String.raw`((?<!set-)\bcookie${colon})${cookiePair}(?:;\s?[^\s;,"'\\]{1,4000}){0,200}`,
      'gi',
    ),
    replace: ([, before], shown) => `${before}${shown}`,
  },
  {
    kind: 'cookie',
    hint: { word: '[cC][oO][oO][kK][iI][eE]' },
    // Attributes, such as Path and Max-Age, stay.
    pattern: new RegExp(
      String.raw`(\bset-cookie${colon}[^\s;,"'\\=]{1,200}=)([^\s;,"'\\]{1,4000})`,
      'gi',
    ),
    replace: ([, before], shown) => `${before}${shown}`,
  },
  {
    kind: 'signature',
    hint: { any: `sig${equals}` },
    // Of a shared access signature of Azure.
    pattern: new RegExp(
      `(?<=[?&;"'\\s${anyEnd}])(sig${equals})[A-Za-z0-9%/+=_${anyEnd}-]{20,}`,
      'g',
    ),
    replace: ([, before], shown) => `${before}${shown}`,
  },
  {
    kind: 'signature',
    hint: { word: `[sS][iI][gG][nN][aA][tT][uU][rR][eE]${equals}` },
    // Signature of a signed URL: knowing it grants access to its target.
    pattern: new RegExp(
      `((?:X-(?:Amz|Goog)-|(?<=[?&${anyEnd}]))Signature${equals})[A-Za-z0-9%/+=_~${anyEnd}-]{20,}`,
      'gi',
    ),
    replace: ([, before], shown) => `${before}${shown}`,
  },
  {
    kind: 'header secret',
    hint: { any: '-[kK][eE][yY]' },
    pattern: new RegExp(
      String.raw`\b((?:fastly|x-functions|ocp-apim-subscription)-key${colon})([^\s"',;\\]{8,400})`,
      'gi',
    ),
    replace: ([all, before, value = ''], shown) =>
      isSecretValue('key', value) ? `${before}${shown}` : all,
  },
];

const USER_AND_PASSWORD = /^[A-Za-z0-9._@+-]{1,64}:[^\s:/]{4,200}$/;
const KNOWN_SECRET = new RegExp(
  [...providerKeys.map((rule) => rule.pattern.source), '-----BEGIN [A-Z ]{0,40}PRIVATE KEY'].join(
    '|',
  ),
);

// Base64 of plain ASCII: the highest bit of each of three bytes is 0, which leaves half of the
// characters in three of four places. Hardly any path, hash or id looks like that for long.
const rest = '[A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][A-Za-z0-9+/_-]';
const begin = `[A-Za-f](?<![A-Za-z0-9+/=_-].)${rest}[A-Za-f]${rest}[A-Za-f][A-HQ-Xg-nw-z0-3]`;

/** `user:password` or a known key, hidden in base64 as Docker and Kubernetes files have it. */
export const base64Credentials: Rule = {
  kind: 'base64 credentials',
  hint: { any: begin },
  pattern: new RegExp(`${begin}[A-Za-z0-9+/_-]{2,}={0,2}(?![A-Za-z0-9+/_-])`, 'g'),
  replace: ([value], shown) =>
    decodesTo(value, USER_AND_PASSWORD) || decodesTo(value, KNOWN_SECRET) ? shown : value,
};
