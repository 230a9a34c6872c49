import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { requireProject } from '@/lib/projects/service/resolve-project';
import { costsOfSessions, listSessionsOfChains } from '../sessions/data';
import { listChainRows } from './view/data';
import type { ChainItem } from './view/schema';
import { toChainItem } from './view/to-dto';

export interface ListChainsInput {
  limit: number;
  cursor?: string | undefined;
  /** `prj_…` or slug; every project of the organization without it. */
  project?: string | undefined;
  status?: ChainItem['status'] | undefined;
  outcome?: NonNullable<ChainItem['outcome']> | undefined;
}

/** Newest first, each with its sessions and what they cost. */
export function listChains(
  scope: TenantScope,
  { limit, cursor, project, status, outcome }: ListChainsInput,
): Promise<{ data: ChainItem[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(cursor, z.uuid());
  return inTransaction(scope, async (db) => {
    const projectId = project ? (await requireProject(db, project)).id : undefined;
    const found = await listChainRows(db, { projectId, status, outcome }, { limit, beforeId });
    const { rows, nextCursor } = pageOf(found, limit, (row) => row.id);
    const sessions = await listSessionsOfChains(
      db,
      rows.map((row) => row.id),
    );
    const costs = await costsOfSessions(
      db,
      sessions.map((session) => session.id),
    );
    const data = rows.map((row) =>
      toChainItem(
        row,
        sessions.filter((session) => session.chainId === row.id),
        costs,
      ),
    );
    return { data, nextCursor };
  });
}
