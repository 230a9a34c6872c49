import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares two secrets in a time that depends on neither their contents nor where they differ. */
export function isEqualSecret(left: string, right: string): boolean {
  // Hashed first, since timingSafeEqual needs equal lengths and the length is a secret too.
  return timingSafeEqual(digest(left), digest(right));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest();
}
