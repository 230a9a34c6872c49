import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { requireId } from '@/lib/platform/ids/require-id';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { requireProject } from '@/lib/projects/service/resolve-project';
import { getSessionState } from '../sessions/data';
import { findSeq, listCheckpointRows, listCheckpointsOfSession } from './data';
import type { CheckpointDto } from './schema';
import { toCheckpointDto } from './to-dto';

/** Of a project (`prj_…` or slug), or of all; the newest first. */
export function listCheckpoints(
  scope: TenantScope,
  input: { project?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<{ data: CheckpointDto[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(input.cursor, z.uuid());
  return inTransaction(scope, async (db) => {
    const project = input.project ? await requireProject(db, input.project) : null;
    const beforeSeq = beforeId ? await findSeq(db, beforeId) : null;
    // What the cursor names is pruned, and so is everything that was older.
    if (beforeId && beforeSeq === null) return { data: [], nextCursor: null };
    const page = { limit: input.limit, beforeSeq };
    const found = await listCheckpointRows(db, project?.id ?? null, page);
    const { rows, nextCursor } = pageOf(found, input.limit, (row) => row.id);
    const redactor = createRedactor({ secrets: [] });
    return { data: rows.map((row) => toCheckpointDto(row, redactor)), nextCursor };
  });
}

/** All of a session (`ses_…`), the newest first. */
export function listSessionCheckpoints(
  scope: TenantScope,
  sessionId: string,
): Promise<CheckpointDto[]> {
  const id = requireId('ses', sessionId);
  return inTransaction(scope, async (db) => {
    await getSessionState(db, id);
    const redactor = createRedactor({ secrets: [] });
    const rows = await listCheckpointsOfSession(db, id);
    return rows.map((row) => toCheckpointDto(row, redactor));
  });
}
