import { randomBytes } from 'node:crypto';
import { encodeBase62 } from '../crypto/base62';

export const REQUEST_ID_HEADER = 'x-request-id';

const SHAPE = /^req_[0-9A-Za-z]{22}$/;

export function newRequestId(): string {
  return `req_${encodeBase62(randomBytes(16))}`;
}

/** The id that proxy.ts gave the request; a client's own text never reaches the log. */
export function requestIdOf(headers: Headers): string {
  const given = headers.get(REQUEST_ID_HEADER);
  return given && SHAPE.test(given) ? given : newRequestId();
}
