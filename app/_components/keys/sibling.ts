import { z } from 'zod';
import type { OpenItem } from './open-item';

const siblingsSchema = z.object({ previous: z.number().nullable(), next: z.number().nullable() });

/**
 * Returns the address of the chain or session before or after the open one, on the same tab; null
 * where there is none. Throws when the server doesn't answer.
 */
export async function siblingHref(
  { kind, number, root, tab }: OpenItem,
  side: 'previous' | 'next',
): Promise<string | null> {
  const answer = await fetch(`${root}/siblings?kind=${kind}&number=${number}`);
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  const sibling = siblingsSchema.parse(await answer.json())[side];
  return sibling === null ? null : `${root}/${kind}/${sibling}${tab}`;
}
