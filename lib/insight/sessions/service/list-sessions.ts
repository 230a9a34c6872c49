import { z } from 'zod';
import { getChainRow } from '@/lib/engine/chains/chain-rows';
import type { SessionKind, SessionStatus } from '@/lib/engine/statuses';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { requireId } from '@/lib/platform/ids/require-id';
import { requireProject } from '@/lib/projects/service/resolve-project';
import { costsOfSessions, listSessionRows } from '../data';
import type { ListedSession } from '../schema';
import { toListedSession } from '../to-dto';

export interface ListSessionsInput {
  limit: number;
  cursor?: string | undefined;
  /** `prj_…` or slug. */
  project?: string | undefined;
  /** `chn_…` */
  chain?: string | undefined;
  tier?: number | undefined;
  status?: SessionStatus | undefined;
  /** Those of chains, or those that worked out turns of conversations. */
  kind: SessionKind;
}

/** Newest first. */
export function listSessions(
  scope: TenantScope,
  input: ListSessionsInput,
): Promise<{ data: ListedSession[]; nextCursor: string | null }> {
  const { limit, cursor, tier, status, kind } = input;
  const beforeId = decodeCursor(cursor, z.uuid());
  return inTransaction(scope, async (db) => {
    const project = input.project ? await requireProject(db, input.project) : null;
    const chain = input.chain ? await getChainRow(db, requireId('chn', input.chain)) : null;
    const filter = { kind, projectId: project?.id, chainId: chain?.id, tier, status };
    const found = await listSessionRows(db, filter, { limit, beforeId });
    const { rows, nextCursor } = pageOf(found, limit, (row) => row.id);
    const costs = await costsOfSessions(
      db,
      rows.map((row) => row.id),
    );
    return { data: rows.map((row) => toListedSession(row, costs.get(row.id))), nextCursor };
  });
}
