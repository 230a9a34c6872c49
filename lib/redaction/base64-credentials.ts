import { providerKeys } from './provider-keys';
import type { Rule } from './rule';
import { decodesTo } from './structured-secrets';

const USER_AND_PASSWORD = /^[A-Za-z0-9._@+-]{1,64}:[^\s:/]{4,200}$/;
const KNOWN_SECRET = new RegExp(
  [...providerKeys.map((rule) => rule.pattern.source), '-----BEGIN [A-Z ]{0,40}PRIVATE KEY'].join(
    '|',
  ),
);

/** `user:password` or a known key, hidden in base64 as Docker and Kubernetes files have it. */
export const base64Credentials: Rule = {
  kind: 'base64 credentials',
  pattern: /(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{12,}={0,2}(?![A-Za-z0-9+/_-])/g,
  replace: ([value], shown) =>
    decodesTo(value, USER_AND_PASSWORD) || decodesTo(value, KNOWN_SECRET) ? shown : value,
};
