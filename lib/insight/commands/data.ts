import type { Prisma } from '@/generated/prisma/client';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { idSince } from '@/lib/platform/ids';
import type { ShownCommandState } from './schema';

const SHOWN = {
  project: { select: { id: true, slug: true, name: true } },
  session: {
    select: {
      id: true,
      number: true,
      tier: true,
      chain: { select: { id: true, number: true } },
    },
  },
  attempt: {
    select: { id: true, number: true, endedAt: true, runner: { select: { id: true, name: true } } },
  },
} as const satisfies Prisma.CommandInclude;

export type ShownRow = Prisma.CommandGetPayload<{ include: typeof SHOWN }>;

/** Ids are UUIDs. What is undefined filters nothing. */
interface RowFilter {
  projectId: string | undefined;
  chainId: string | undefined;
  sessionId: string | undefined;
  state: ShownCommandState | undefined;
  mayChange: boolean | undefined;
  since: Date | undefined;
  until: Date | undefined;
}

/** Returns whether there is a session of this id, a UUID. */
export async function hasSession(db: TenantDb, id: string): Promise<boolean> {
  return (await db.session.count({ where: { id } })) > 0;
}

/** Returns up to `take` rows, newest first. */
export function listRows(
  db: TenantDb,
  { projectId, chainId, sessionId, state, mayChange, since, until }: RowFilter,
  { take, beforeId }: { take: number; beforeId: string | null },
): Promise<ShownRow[]> {
  return db.command.findMany({
    where: {
      projectId,
      sessionId,
      ...(chainId ? { session: { chainId } } : {}),
      ...stateFilter(state),
      mayChange,
      requestedAt: { gte: since, lt: until },
      // Ids begin with the time of the request, so that an index serves a list that is cut by time.
      AND: [
        since ? { id: { gte: idSince(since) } } : {},
        until ? { id: { lt: idSince(new Date(until.getTime() + ROUNDED_MS)) } } : {},
        beforeId ? { id: { lt: beforeId } } : {},
      ],
    },
    orderBy: { id: 'desc' },
    take,
    include: SHOWN,
  });
}

/** `idSince` is this much below a time, at most. */
const ROUNDED_MS = 120_000;

function stateFilter(state: ShownCommandState | undefined): Prisma.CommandWhereInput {
  switch (state) {
    case undefined:
      return {};
    case 'started':
      return { state, attempt: { endedAt: null } };
    case 'unknown':
      return { state: 'started', attempt: { endedAt: { not: null } } };
    default:
      return { state };
  }
}

/** An approval, with the command that used it or that waited for it: an attempt's id and a number. */
interface CommandApproval {
  id: string;
  usedBy: string | null;
  requestedBy: string;
}

/** Returns the approvals that commands of these attempts used or waited for. */
export async function listApprovalsOf(
  db: TenantDb,
  attemptIds: readonly string[],
): Promise<CommandApproval[]> {
  const ids = [...new Set(attemptIds)];
  const rows = await db.approval.findMany({
    where: { kind: 'command', OR: [{ attemptId: { in: ids } }, { granteeId: { in: ids } }] },
    select: { id: true, attemptId: true, commandNumber: true, granteeId: true, usedNumber: true },
  });
  return rows.map(({ id, attemptId, commandNumber, granteeId, usedNumber }) => ({
    id,
    requestedBy: commandKey(attemptId, commandNumber),
    usedBy: granteeId !== null && usedNumber !== null ? commandKey(granteeId, usedNumber) : null,
  }));
}

export function commandKey(attemptId: string, number: number | null): string {
  return `${attemptId}/${number}`;
}
