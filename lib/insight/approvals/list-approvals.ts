import { z } from 'zod';
import type { Prisma } from '@/generated/prisma/client';
import { findPerson } from '@/lib/engine/approvals/data';
import { whyForbidden } from '@/lib/engine/approvals/vote';
import { storedArgv } from '@/lib/engine/approvals/words';
import { approvalVerdictSchema, VOTE_DOORS } from '@/lib/engine/statuses';
import type { Role } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { requireProject } from '@/lib/projects/manage-project';
import { approvalFileSchema } from '@/lib/protocol/commands';
import { type ApprovalDto, approvalDtoSchema } from './schema';

interface ApprovalFilter {
  status?: ApprovalDto['status'] | undefined;
  /** `prj_…` or slug. */
  project?: string | undefined;
  /** `chn_…` */
  chain?: string | undefined;
}

/** Returns approvals, newest first. */
export function listApprovals(
  scope: TenantScope,
  input: ApprovalFilter & { limit: number; cursor?: string | undefined },
): Promise<{ data: ApprovalDto[]; nextCursor: string | null }> {
  const beforeId = decodeCursor(input.cursor, z.uuid());
  return inTransaction(scope, async (db) => {
    const project = input.project ? await requireProject(db, input.project) : null;
    const found = await findRows(
      db,
      {
        ...(input.status ? { status: input.status } : {}),
        ...(project ? { projectId: project.id } : {}),
        ...(input.chain ? { chainId: requireId('chn', input.chain) } : {}),
        ...(beforeId ? { id: { lt: beforeId } } : {}),
      },
      input.limit + 1,
    );
    const { rows, nextCursor } = pageOf(found, input.limit, (row) => row.id);
    return { data: await toDtos(db, scope, rows), nextCursor };
  });
}

/**
 * Returns one approval, by `apr_…`.
 *
 * @throws NotFoundError for one that isn't the organization's
 */
export function getApproval(scope: TenantScope, approvalId: string): Promise<ApprovalDto> {
  const id = requireId('apr', approvalId);
  return inTransaction(scope, async (db) => {
    const [approval] = await toDtos(db, scope, await findRows(db, { id }, 1));
    if (!approval) throw new NotFoundError();
    return approval;
  });
}

/** Returns how many wait for a decision. */
export function countPending(scope: TenantScope): Promise<number> {
  return inTransaction(scope, (db) => db.approval.count({ where: { status: 'pending' } }));
}

const SHOWN = {
  project: { select: { id: true, slug: true, name: true } },
  chain: { select: { id: true, number: true } },
  session: { select: { id: true, number: true, tier: true } },
  votes: { orderBy: { votedAt: 'asc' } },
} as const satisfies Prisma.ApprovalInclude;

type ShownRow = Prisma.ApprovalGetPayload<{ include: typeof SHOWN }>;

function findRows(db: TenantDb, where: Prisma.ApprovalWhereInput, take: number) {
  return db.approval.findMany({ where, orderBy: { id: 'desc' }, take, include: SHOWN });
}

async function toDtos(
  db: TenantDb,
  scope: TenantScope,
  rows: readonly ShownRow[],
): Promise<ApprovalDto[]> {
  if (rows.length === 0) return [];
  const runnerIds = rows.flatMap(({ runnerId }) => runnerId ?? []);
  const runners = await db.runner.findMany({
    where: { id: { in: runnerIds } },
    select: { id: true, name: true },
  });
  const person = await findPerson(db, scope);
  return rows.map((row) =>
    toDto(row, new Map(runners.map((each) => [each.id, each.name])), person),
  );
}

/** Redacted again, since a secret may have become known after it was stored. */
function toDto(
  row: ShownRow,
  runners: ReadonlyMap<string, string>,
  person: { email: string; role: Role } | null,
): ApprovalDto {
  const { text } = createRedactor({ secrets: [] });
  const { project, chain, session, runnerId } = row;
  const minRole = approvalDtoSchema.shape.minRole.parse(row.minRole);
  const voter = { person: person?.email ?? null, role: person?.role ?? null };
  return {
    id: encodeId('apr', row.id),
    kind: approvalDtoSchema.shape.kind.parse(row.kind),
    status: approvalDtoSchema.shape.status.parse(row.status),
    project: { ...project, id: encodeId('prj', project.id) },
    chain: { ...chain, id: encodeId('chn', chain.id) },
    session: { ...session, id: encodeId('ses', session.id) },
    tier: row.tier,
    argv: storedArgv(row.argv)?.map(text) ?? null,
    cwd: row.cwd,
    files: z.array(approvalFileSchema).parse(row.files),
    services: row.services,
    rule: row.rule,
    reason: text(row.reason),
    runner:
      runnerId === null
        ? null
        : { id: encodeId('rnr', runnerId), name: runners.get(runnerId) ?? 'a removed runner' },
    digest: row.digest,
    requester: row.requester,
    minRole,
    peopleNeeded: row.peopleNeeded,
    onRefusal: approvalDtoSchema.shape.onRefusal.parse(row.onRefusal),
    votes: row.votes.map((vote) => ({
      person: vote.person,
      verdict: approvalVerdictSchema.parse(vote.verdict),
      note: text(vote.note),
      via: z.enum(VOTE_DOORS).parse(vote.via),
      at: vote.votedAt.toISOString(),
    })),
    forbidden:
      row.status === 'pending' ? whyForbidden({ requester: row.requester, minRole }, voter) : null,
    requestedAt: row.requestedAt.toISOString(),
    heldUntil: row.heldUntil?.toISOString() ?? null,
    expiresAt: row.expiresAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    usedAt: row.usedAt?.toISOString() ?? null,
  };
}
