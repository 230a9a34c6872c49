import { z } from 'zod';
import { inTransaction } from '@/lib/db/tenant-db';
import { decodeCursor, pageOf } from '@/lib/http/cursor';
import { requireMay } from '@/lib/tenancy/role-matrix';
import type { TenantScope } from '@/lib/tenancy/scope';
import { listAuditRows, verifyAudit } from '../data';
import type { AuditEntryDto, AuditVerdictDto } from '../schema';

/** Newest first. */
export async function listAudit(
  scope: TenantScope,
  page: { limit: number; cursor?: string | undefined },
): Promise<{ data: AuditEntryDto[]; nextCursor: string | null }> {
  requireReader(scope);
  const beforeSeq = decodeCursor(page.cursor, z.number().int());
  const found = await inTransaction(scope, (db) =>
    listAuditRows(db, { limit: page.limit, beforeSeq }),
  );
  const { rows, nextCursor } = pageOf(found, page.limit, (row) => Number(row.seq));
  return { data: rows.map(toEntryDto), nextCursor };
}

/** Computes the whole chain of hashes again. */
export async function checkAudit(scope: TenantScope): Promise<AuditVerdictDto> {
  requireReader(scope);
  const verdict = await inTransaction(scope, verifyAudit);
  return { ...verdict, isIntact: verdict.firstBad === null && verdict.headMatches };
}

// A token is bounded by its scope audit:read, which an admin gave it.
function requireReader(scope: TenantScope): void {
  if (scope.actor.kind !== 'api_token') requireMay(scope, 'audit.read');
}

function toEntryDto(row: Awaited<ReturnType<typeof listAuditRows>>[number]): AuditEntryDto {
  const { actorLabel, ...detail } =
    typeof row.detail === 'object' && row.detail !== null && !Array.isArray(row.detail)
      ? row.detail
      : {};
  return {
    seq: Number(row.seq),
    at: row.at.toISOString(),
    actor: row.actor,
    actorLabel: typeof actorLabel === 'string' ? actorLabel : '',
    action: row.action,
    target: row.target,
    detail,
    hash: Buffer.from(row.hash).toString('hex'),
  };
}
