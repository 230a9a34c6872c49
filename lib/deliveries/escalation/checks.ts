/** What policies and schedules must be to be saved. Every refusal is an InvalidError that names its field. */

import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { InvalidError } from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import { listChannelRows } from '../channels/data';

/** Refuses a name that another one has. */
export function requireNewName(
  others: readonly { id: string; name: string }[],
  name: string,
  ownId: string | null,
): void {
  if (!others.some((other) => other.name === name && other.id !== ownId)) return;
  const message = 'This name is already used. Pick a different one.';
  throw new InvalidError(message, { name: message });
}

/** Refuses channels that the organization doesn't have. */
export async function requireChannels(
  db: TenantDb,
  lists: readonly { path: string; channelIds: readonly string[] }[],
): Promise<void> {
  const known = (await listChannelRows(db)).map(({ id }): string => encodeId('ntc', id));
  for (const { path, channelIds } of lists) {
    const missing = channelIds.filter((id) => !known.includes(id));
    if (missing.length === 0) continue;
    const message = `The organization has no notification channel ${missing.join(', ')}. It may have been deleted. Choose another one.`;
    throw new InvalidError(message, { [path]: message });
  }
}
