import { z } from 'zod';
import type { Conversation, Prisma } from '@/generated/prisma/client';
import { byId, rowsOf, sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { conversationPhaseSchema } from './schema';

export type ConversationRow = Conversation;

/** Conversations and turns that people see. */
export const NOT_DELETED = { deletedAt: null } as const;

/** Keeps every other writer of the conversation's history out. Throws NotFoundError. */
export async function lockConversation(db: TenantDb, id: string): Promise<ConversationRow> {
  const conversation = byId('conversation', db.organizationId, id).selectAll();
  const [row] = await rowsOf(db, conversation.where('deletedAt', 'is', null).forUpdate());
  if (!row) throw new NotFoundError();
  return row;
}

export async function insertConversation(
  db: TenantDb,
  row: {
    id: string;
    projectId: string;
    chainId: string | null;
    title: string;
    createdBy: string;
    createdAt: Date;
  },
): Promise<ConversationRow> {
  return db.conversation.create({
    data: { organizationId: db.organizationId, lastTurnAt: row.createdAt, ...row },
  });
}

export async function touchConversation(db: TenantDb, id: string, at: Date): Promise<void> {
  await db.conversation.updateMany({ where: { id }, data: { lastTurnAt: at } });
}

/** Returns the turns that are not cut, in order, with the results of their sessions. */
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
  conversationId: string,
  agents: readonly string[],
): Promise<void> {
  for (const agent of agents) {
    const key = { organizationId: db.organizationId, conversationId, agent };
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

const WITH_SUBJECT = {
  project: { select: { id: true, slug: true, name: true, currentVersion: true } },
  chain: { select: { id: true, number: true } },
} as const;

/** Returns conversations, most recently active first. */
export function listConversationRows(
  db: TenantDb,
  filter: { projectId: string | null; chainId: string | null },
  page: { limit: number; before: { at: Date; id: string } | null },
) {
  const { projectId, chainId } = filter;
  const { before } = page;
  return db.conversation.findMany({
    where: {
      ...NOT_DELETED,
      ...(projectId ? { projectId } : {}),
      ...(chainId ? { chainId } : {}),
      ...(before
        ? {
            OR: [
              { lastTurnAt: { lt: before.at } },
              { lastTurnAt: before.at, id: { lt: before.id } },
            ],
          }
        : {}),
    },
    orderBy: [{ lastTurnAt: 'desc' }, { id: 'desc' }],
    take: page.limit + 1,
    include: WITH_SUBJECT,
  });
}
export type ConversationListRow = Awaited<ReturnType<typeof listConversationRows>>[number];

/** Throws NotFoundError. */
export async function getConversationRow(db: TenantDb, id: string): Promise<ConversationListRow> {
  const row = await db.conversation.findFirst({
    where: { id, ...NOT_DELETED },
    include: WITH_SUBJECT,
  });
  if (!row) throw new NotFoundError();
  return row;
}

const figuresSchema = z.object({
  id: z.string(),
  turns: z.coerce.number(),
  phase: conversationPhaseSchema,
  /** Null: nothing was booked. */
  micros: z.coerce.bigint().nullable(),
});
export type ConversationFigures = z.infer<typeof figuresSchema>;

/** Turns in the history, and what all turns cost, cut ones too: that was spent. */
export async function figuresOf(
  db: TenantDb,
  ids: readonly string[],
): Promise<Map<string, ConversationFigures>> {
  const rows = await sqlRows(db)<unknown>`select t.conversation_id as id,
        count(*) filter (where t.cut_at is null)::text as turns,
        case
          when bool_or(t.cut_at is null and s.status = 'running' and exists (
            select 1 from question q where q.organization_id = t.organization_id
              and q.turn_id = t.id and q.status = 'open')) then 'asking'
          when bool_or(t.cut_at is null and s.status in ('running', 'stopping')) then 'answering'
          when bool_or(t.cut_at is null and s.ended_at is null) then 'waiting'
          else 'idle'
        end as phase,
        sum((select sum(l.cost_micros) from ledger_entry l
          where l.organization_id = t.organization_id and l.session_id = t.session_id))::text as micros
      from turn t join session s on s.organization_id = t.organization_id and s.id = t.session_id
      where t.organization_id = ${db.organizationId}::uuid and t.conversation_id = any(${[...ids]}::uuid[])
      group by 1`;
  return new Map(
    figuresSchema
      .array()
      .parse(rows)
      .map((row) => [row.id, row]),
  );
}

/**
 * Returns the turns of a conversation in order; cut turns come first within a position, oldest
 * first.
 */
export function listTurnRows(db: TenantDb, conversationId: string, withCut: boolean) {
  return db.turn.findMany({
    where: { conversationId, ...(withCut ? {} : { cutAt: null }) },
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
    include: WITH_STORY,
  });
}
export type TurnRow = Awaited<ReturnType<typeof listTurnRows>>[number];

/** Throws NotFoundError. */
export async function getTurnRow(
  db: TenantDb,
  where: { id: string; conversationId: string },
): Promise<TurnRow> {
  const row = await db.turn.findFirst({
    where: { ...where, conversation: NOT_DELETED },
    include: WITH_STORY,
  });
  if (!row) throw new NotFoundError();
  return row;
}

const WITH_STORY = {
  questions: { orderBy: { id: 'asc' } },
  session: {
    include: {
      decisions: {
        // Until it is decided how it starts, a turn only waits. Of the ends, only those that it
        // continues after are shown.
        where: {
          OR: [
            { kind: 'continuation', verdict: { not: 'wait' } },
            { kind: 'after_end', verdict: 'continue' },
          ],
        },
        orderBy: { id: 'desc' },
      },
      ledger: true,
      attempts: {
        orderBy: { number: 'desc' },
        select: {
          id: true,
          purpose: true,
          contextTokens: true,
          contextWindow: true,
          end: true,
          exitCode: true,
          exitSignal: true,
        },
      },
    },
  },
} satisfies Prisma.TurnInclude;

/** Returns the agent of the newest turn in the history. */
export async function findLastAgent(db: TenantDb, conversationId: string): Promise<string | null> {
  const row = await db.turn.findFirst({
    where: { conversationId, cutAt: null },
    orderBy: { position: 'desc' },
    select: { agent: true },
  });
  return row?.agent ?? null;
}

/** Returns the conversation of a session's turn. */
export async function findTurnOfSession(
  db: TenantDb,
  where: { projectId: string; number: number },
) {
  return db.turn.findFirst({
    where: { session: where, conversation: NOT_DELETED },
    select: { position: true, conversationId: true },
  });
}
