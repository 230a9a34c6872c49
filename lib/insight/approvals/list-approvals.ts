import { z } from 'zod';
import { whyForbidden } from '@/lib/engine/approvals/vote';
import { storedArgv } from '@/lib/engine/approvals/words';
import { getChainRow } from '@/lib/engine/chains/chain-rows';
import { approvalVerdictSchema, VOTE_DOORS } from '@/lib/engine/statuses';
import { findPerson } from '@/lib/identity/members/person-rows';
import type { Role } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import {
  decodeCursor,
  pageOf,
  placeOf,
  type TwoWayEnds,
  type TwoWayQuery,
  twoWayPage,
} from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { createRedactor } from '@/lib/platform/redaction/redactor';
import { requireProject } from '@/lib/projects/manage-project';
import { approvalFileSchema } from '@/lib/protocol/commands';
import {
  browseDecidedRows,
  countPendingRows,
  hasDecidedRow,
  listPendingRows,
  listRows,
  namesOfRunners,
  type ShownRow,
} from './data';
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
  const chainId = input.chain ? requireId('chn', input.chain) : undefined;
  return inTransaction(scope, async (db) => {
    const projectId = input.project ? (await requireProject(db, input.project)).id : undefined;
    // An unknown chain is an error, as an unknown project is.
    if (chainId) await getChainRow(db, chainId);
    const filter = { status: input.status, projectId, chainId };
    const found = await listRows(db, filter, { take: input.limit + 1, beforeId });
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
    const [approval] = await toDtos(db, scope, await listRows(db, { id }, { take: 1 }));
    if (!approval) throw new NotFoundError();
    return approval;
  });
}

interface PendingFilter {
  /** `chn_…` */
  chain?: string | undefined;
  /** `ses_…` */
  session?: string | undefined;
}

/** Returns what waits for a decision, the soonest to expire first. */
export function listPending(
  scope: TenantScope,
  { chain, session, limit }: PendingFilter & { limit: number },
): Promise<ApprovalDto[]> {
  const chainId = chain ? requireId('chn', chain) : undefined;
  const sessionId = session ? requireId('ses', session) : undefined;
  return inTransaction(scope, async (db) =>
    toDtos(db, scope, await listPendingRows(db, { chainId, sessionId }, limit)),
  );
}

interface DecidedQuery extends TwoWayQuery {
  status?: Exclude<ApprovalDto['status'], 'pending'> | undefined;
  /** `prj_…` or slug. */
  project?: string | undefined;
}

/** Returns a page of those that no longer wait, newest request first, with cursors in both directions. */
export function browseDecided(
  scope: TenantScope,
  { status, project, ...asked }: DecidedQuery,
): Promise<TwoWayEnds & { data: ApprovalDto[] }> {
  const place = placeOf('apr', asked);
  return inTransaction(scope, async (db) => {
    const projectId = project ? (await requireProject(db, project)).id : undefined;
    const found = await browseDecidedRows(db, { status, projectId }, place);
    const { rows, ...ends } = twoWayPage(found, asked, ({ id }) => encodeId('apr', id));
    return { data: await toDtos(db, scope, rows), ...ends };
  });
}

/** Returns whether there is any that no longer waits. */
export function hasDecided(scope: TenantScope): Promise<boolean> {
  return inTransaction(scope, hasDecidedRow);
}

/** Returns how many wait for a decision. */
export function countPending(scope: TenantScope): Promise<number> {
  return inTransaction(scope, countPendingRows);
}

async function toDtos(
  db: TenantDb,
  scope: TenantScope,
  rows: readonly ShownRow[],
): Promise<ApprovalDto[]> {
  if (rows.length === 0) return [];
  const runners = await namesOfRunners(
    db,
    rows.flatMap(({ runnerId }) => runnerId ?? []),
  );
  const person = await findPerson(db, scope);
  return rows.map((row) => toDto(row, runners, person));
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
      row.status === 'pending' || (row.status === 'refused' && row.allowedAgainAt === null)
        ? whyForbidden({ requester: row.requester, minRole }, voter)
        : null,
    requestedAt: row.requestedAt.toISOString(),
    heldUntil: row.heldUntil?.toISOString() ?? null,
    expiresAt: row.expiresAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    usedAt: row.usedAt?.toISOString() ?? null,
    allowedAgain:
      row.allowedAgainAt === null
        ? null
        : { person: row.allowedAgainBy ?? '', at: row.allowedAgainAt.toISOString() },
  };
}
