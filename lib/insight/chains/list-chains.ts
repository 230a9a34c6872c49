import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { decodeCursor, pageOf, placeOf, twoWayPage } from '@/lib/platform/http/cursor';
import { encodeId } from '@/lib/platform/ids';
import { requireProject } from '@/lib/projects/manage-project';
import { listServiceNames } from '../feed';
import { costsOfSessions, listSessionsOfChains } from '../sessions/data';
import { browseChainRows, type ChainRow, listChainRows } from './data';
import type { ChainItem, ChainPage, ChainQuery } from './schema';
import { toChainItem } from './to-dto';

interface ListChainsInput {
  limit: number;
  cursor?: string | undefined;
  /** `prj_…` or slug; every project of the organization without it. */
  project?: string | undefined;
  status?: ChainItem['status'] | undefined;
  outcome?: NonNullable<ChainItem['outcome']> | undefined;
}

/** Returns chains newest first, each with its sessions and their costs. */
export function listChains(
  scope: TenantScope,
  { limit, cursor, project, status, outcome }: ListChainsInput,
): Promise<{ data: ChainItem[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(cursor, z.uuid());
  return inTransaction(scope, async (db) => {
    const projectId = project ? (await requireProject(db, project)).id : undefined;
    const found = await listChainRows(db, { projectId, status, outcome }, { limit, beforeId });
    const { rows, nextCursor } = pageOf(found, limit, (row) => row.id);
    return { data: await withSessions(db, rows), nextCursor };
  });
}

async function withSessions(db: TenantDb, rows: readonly ChainRow[]): Promise<ChainItem[]> {
  const ids = rows.map(({ id }) => id);
  const sessions = await listSessionsOfChains(db, ids);
  const costs = await costsOfSessions(db, sessions);
  const sessionsOf = (id: string) => sessions.filter(({ chainId }) => chainId === id);
  return rows.map((row) => toChainItem(row, sessionsOf(row.id), costs));
}

/**
 * Returns a page of chains, newest first, with cursors in both directions. A fixed number of
 * queries.
 */
export function browseChains(
  scope: TenantScope,
  { project, ...query }: ChainQuery,
): Promise<ChainPage> {
  const place = placeOf('chn', query);
  return inTransaction(scope, async (db) => {
    const projectId = project ? (await requireProject(db, project)).id : undefined;
    const found = await browseChainRows(db, { ...query, projectId }, place);
    const { rows, ...ends } = twoWayPage(found, query, ({ id }) => encodeId('chn', id));
    return {
      data: await withSessions(db, rows),
      ...ends,
      services: await listServiceNames(db, projectId ?? null),
    };
  });
}
