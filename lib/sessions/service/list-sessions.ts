import { z } from 'zod';
import { getChainRow } from '@/lib/chains/data';
import { inTransaction } from '@/lib/db/tenant-db';
import { decodeCursor, pageOf } from '@/lib/http/cursor';
import { requireId } from '@/lib/ids/require-id';
import { requireProject } from '@/lib/projects/service/resolve-project';
import type { TenantScope } from '@/lib/tenancy/scope';
import { costsOfSessions, listSessionRows } from '../data';
import type { SessionItem, SessionStatus } from '../schema';
import { toSessionItem } from '../to-dto';

export interface ListSessionsInput {
  limit: number;
  cursor?: string | undefined;
  /** `prj_…` or slug. */
  project?: string | undefined;
  /** `chn_…` */
  chain?: string | undefined;
  tier?: number | undefined;
  status?: SessionStatus | undefined;
}

/** Newest first. */
export function listSessions(
  scope: TenantScope,
  input: ListSessionsInput,
): Promise<{ data: SessionItem[]; nextCursor: string | null }> {
  const { limit, cursor, tier, status } = input;
  const beforeId = decodeCursor(cursor, z.uuid());
  return inTransaction(scope, async (db) => {
    const project = input.project ? await requireProject(db, input.project) : null;
    const chain = input.chain ? await getChainRow(db, requireId('chn', input.chain)) : null;
    const filter = { projectId: project?.id, chainId: chain?.id, tier, status };
    const found = await listSessionRows(db, filter, { limit, beforeId });
    const { rows, nextCursor } = pageOf(found, limit, (row) => row.id);
    const costs = await costsOfSessions(
      db,
      rows.map((row) => row.id),
    );
    return { data: rows.map((row) => toSessionItem(row, costs.get(row.id))), nextCursor };
  });
}
