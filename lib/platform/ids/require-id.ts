import { NotFoundError } from '../errors';
import { decodeId, type IdPrefix } from '../ids';

/** The UUID of an id that came from outside. Throws NotFoundError for text that is no such id. */
export function requireId(prefix: IdPrefix, text: string): string {
  const uuid = decodeId(prefix, text);
  if (!uuid) throw new NotFoundError();
  return uuid;
}
