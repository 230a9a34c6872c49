import { providerKeys } from './provider-keys';
import type { Rule } from './rule';
import { decodesTo } from './structured-secrets';

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
