import { z } from 'zod';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { decodeCursor, MAX_PAGE, pageOf, pageQuerySchema } from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { createRedactor, type Redactor } from '@/lib/platform/redaction/redactor';
import { requireProject } from '@/lib/projects/manage-project';
import { projectRefSchema } from '@/lib/projects/view';
import { checkpointCountsSchema, checkpointTriggerSchema } from '@/lib/protocol/checkpoint';
import { getSessionState } from './sessions/data';
import { sessionRefSchema } from './sessions/schema';

/** Returns checkpoints of a project (`prj_…` or slug), or of all, newest first. */
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

/** Returns all checkpoints of a session (`ses_…`), newest first. */
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

const textsSchema = z.array(z.string());

/** Redacted again, since a secret may have become known after it was stored. */
function toCheckpointDto(row: CheckpointRow, redactor: Redactor): CheckpointDto {
  const { project, ...session } = row.session;
  const texts = (value: unknown) => textsSchema.parse(value).map((text) => redactor.text(text));
  return {
    id: encodeId('chk', row.id),
    project: { ...project, id: encodeId('prj', project.id) },
    session: { ...session, id: encodeId('ses', session.id) },
    attemptId: encodeId('att', row.attemptId),
    label: `#${session.number}.${row.attempt.number}`,
    trigger: checkpointTriggerSchema.parse(row.trigger),
    digest: redactor.text(row.digest),
    counts: checkpointCountsSchema.parse(row.counts),
    queries: texts(row.recentQueries),
    remembered: texts(row.remembered),
    harness: row.harness,
    projectPath: redactor.text(row.projectPath),
    projectPathNormalized: redactor.text(row.projectPathNormalized),
    hookSessionId: row.hookSessionId,
    isLate: row.isLate,
    at: row.at.toISOString(),
    createdAt: row.createdAt.toISOString(),
  };
}

const LIMIT = `Enter a limit of 1 to ${MAX_PAGE}.`;

/** Filters for checkpoints. */
export const checkpointQuerySchema = pageQuerySchema.extend({
  limit: z.coerce.number(LIMIT).int(LIMIT).min(1, LIMIT).max(MAX_PAGE, LIMIT).default(10),
  /** Id or slug. */
  project: z.string().optional(),
});

/** A checkpoint as it is shown. Ids are typed, times are ISO 8601 in UTC. */
export const checkpointDtoSchema = z.object({
  id: z.string(),
  project: projectRefSchema,
  session: sessionRefSchema,
  attemptId: z.string(),
  /** `#18.1`: session and attempt. */
  label: z.string(),
  trigger: checkpointTriggerSchema.meta({
    description:
      'Why it was written: by interval, before a compaction, by the agent, for a person, at the end.',
  }),
  digest: z
    .string()
    .meta({ description: 'Markdown; an agent’s own words where `trigger` is `agent`.' }),
  counts: checkpointCountsSchema.meta({ description: 'Since the attempt’s process began.' }),
  queries: z.array(z.string()).meta({
    description: 'What the agent searched for since the previous checkpoint, oldest first.',
  }),
  remembered: z.array(z.string()).meta({
    description: 'Facts the agent saved since the previous checkpoint, oldest first.',
  }),
  harness: z.string(),
  projectPath: z.string(),
  projectPathNormalized: z
    .string()
    .meta({ description: 'Symbolic links resolved; used to match earlier chains.' }),
  hookSessionId: z
    .string()
    .nullable()
    .meta({ description: 'As the CLI’s hook named its session; null where no hook asked for it.' }),
  isLate: z.boolean().meta({
    description: 'It arrived with an outdated fencing token: stored, but not used for decisions.',
  }),
  /** By the runner's clock, and when it was stored. */
  at: z.string(),
  createdAt: z.string(),
});
export type CheckpointDto = z.infer<typeof checkpointDtoSchema>;

const RELATED = {
  session: {
    select: {
      id: true,
      number: true,
      tier: true,
      project: { select: { id: true, slug: true, name: true } },
    },
  },
  attempt: { select: { number: true } },
} as const;

/** Returns checkpoints of a project, or of all, newest first. */
export function listCheckpointRows(
  db: TenantDb,
  projectId: string | null,
  page: { limit: number; beforeSeq: bigint | null },
) {
  return db.checkpoint.findMany({
    where: {
      ...(projectId ? { projectId } : {}),
      ...(page.beforeSeq === null ? {} : { seq: { lt: page.beforeSeq } }),
    },
    orderBy: { seq: 'desc' },
    take: page.limit + 1,
    include: RELATED,
  });
}
type CheckpointRow = Awaited<ReturnType<typeof listCheckpointRows>>[number];

/** Returns all checkpoints of a session, newest first. */
export function listCheckpointsOfSession(
  db: TenantDb,
  sessionId: string,
): Promise<CheckpointRow[]> {
  return db.checkpoint.findMany({
    where: { sessionId },
    orderBy: { seq: 'desc' },
    include: RELATED,
  });
}

/** Returns a checkpoint's sequence number; null once it is deleted. */
async function findSeq(db: TenantDb, id: string): Promise<bigint | null> {
  const row = await db.checkpoint.findFirst({ where: { id }, select: { seq: true } });
  return row?.seq ?? null;
}
