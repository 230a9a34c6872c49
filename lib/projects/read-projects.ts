import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { listProjectRows, loadAround } from './data';
import { requireProject } from './manage-project';
import { type ProjectDto, toProjectDto } from './view';

/** Newest first. */
export function listProjects(
  scope: TenantScope,
  page: { limit: number; cursor?: string | undefined },
  now = new Date(),
): Promise<{ data: ProjectDto[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(page.cursor, z.uuid());
  return inTransaction(scope, async (db) => {
    const found = await listProjectRows(db, { limit: page.limit, beforeId });
    const { rows, nextCursor } = pageOf(found, page.limit, (row) => row.id);
    const around = await loadAround(db, rows);
    return { data: rows.map((row) => toProjectDto(row, around, now)), nextCursor };
  });
}

/** `reference` is an id (`prj_…`) or a slug. */
export function getProject(
  scope: TenantScope,
  reference: string,
  now = new Date(),
): Promise<ProjectDto> {
  return inTransaction(scope, async (db) => {
    const row = await requireProject(db, reference);
    return toProjectDto(row, await loadAround(db, [row]), now);
  });
}
