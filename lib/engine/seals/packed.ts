import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { PackedConversation } from './schema';

const unpack = promisify(gunzip);

/**
 * Returns whether compressed bytes hold exactly the described file. What unpacks to more than the
 * described size is given up there, however small it was packed.
 */
export async function isWhole({ packed, bytes, sha256 }: PackedConversation): Promise<boolean> {
  try {
    const file = await unpack(packed, { maxOutputLength: bytes });
    return file.length === bytes && createHash('sha256').update(file).digest('hex') === sha256;
  } catch {
    return false;
  }
}
