import { type Conversation, Prisma } from '@/generated/prisma/client';
import { fromColumns, queryRaw } from '@/lib/platform/db/raw';
import type { OrganizationId } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';

export type ConversationRow = Conversation;

/** Conversations and turns that people see. */
export const NOT_DELETED = { deletedAt: null } as const;

/** Keeps every other writer of the conversation's history out. Throws NotFoundError. */
export async function lockConversation(
  db: TenantDb,
  organizationId: OrganizationId,
  id: string,
): Promise<ConversationRow> {
  const [row] = await queryRaw<Record<string, unknown>>(
    db,
    Prisma.sql`select * from conversation
      where organization_id = ${organizationId}::uuid and id = ${id}::uuid
        and deleted_at is null
      for update`,
  );
  if (!row) throw new NotFoundError();
  return fromColumns<ConversationRow>(row);
}

export async function insertConversation(
  db: TenantDb,
  organizationId: OrganizationId,
  row: {
    id: string;
    projectId: string;
    chainId: string | null;
    title: string;
    createdBy: string;
    createdAt: Date;
  },
): Promise<ConversationRow> {
  return db.conversation.create({ data: { organizationId, lastTurnAt: row.createdAt, ...row } });
}

export async function touchConversation(db: TenantDb, id: string, at: Date): Promise<void> {
  await db.conversation.updateMany({ where: { id }, data: { lastTurnAt: at } });
}

/** The turns that are not cut, in their order, with what their sessions have come to. */
export function listHistory(db: TenantDb, conversationId: string) {
  return db.turn.findMany({
    where: { conversationId, cutAt: null },
    orderBy: { position: 'asc' },
    include: { session: { select: { status: true, endedAt: true } } },
  });
}
export type HistoryRow = Awaited<ReturnType<typeof listHistory>>[number];

export async function getEpoch(
  db: TenantDb,
  conversationId: string,
  agent: string,
): Promise<number> {
  const row = await db.agentEpoch.findFirst({ where: { conversationId, agent } });
  return row?.epoch ?? 0;
}

export async function raiseEpochs(
  db: TenantDb,
  organizationId: OrganizationId,
  conversationId: string,
  agents: readonly string[],
): Promise<void> {
  for (const agent of agents) {
    const key = { organizationId, conversationId, agent };
    await db.agentEpoch.upsert({
      where: { organizationId_conversationId_agent: key },
      create: { ...key, epoch: 1 },
      update: { epoch: { increment: 1 } },
    });
  }
}

/** Takes it out of everyone's sight. */
export async function markDeleted(
  db: TenantDb,
  id: string,
  by: { at: Date; label: string },
): Promise<void> {
  await db.conversation.updateMany({
    where: { id },
    data: { title: '', deletedAt: by.at, deletedBy: by.label },
  });
}
