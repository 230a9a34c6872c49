import { z } from 'zod';
import { requireMay } from '@/lib/identity/tenancy/role-matrix';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { listOpenInvitations } from '../data';
import type { InvitationDto } from '../schema';
import { toInvitationDto } from '../to-dto';

/** Those that nobody has accepted or revoked, expired ones among them; newest first. */
export async function listInvitations(
  scope: TenantScope,
  page: { limit: number; cursor?: string | undefined },
  now = new Date(),
): Promise<{ data: InvitationDto[]; nextCursor: string | null }> {
  // A token is bounded by its scope members:read, which an admin gave it.
  if (scope.actor.kind !== 'api_token') requireMay(scope, 'member.manage');
  const beforeId = decodeCursor(page.cursor, z.uuid());
  const found = await inTransaction(scope, (db) =>
    listOpenInvitations(db, { limit: page.limit, beforeId }),
  );
  const { rows, nextCursor } = pageOf(found, page.limit, (row) => row.id);
  return { data: rows.map((row) => toInvitationDto(row, now)), nextCursor };
}
