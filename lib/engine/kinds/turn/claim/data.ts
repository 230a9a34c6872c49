import {
  type Chain,
  type Conversation,
  type Organization,
  Prisma,
  type Project,
  type Runner,
  type Session,
  type Turn,
} from '@/generated/prisma/client';
import { fromJson } from '@/lib/platform/db/raw';
import { sqlRows } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';

/** The rows around a turn. */
export interface TurnContext {
  turn: Turn;
  conversation: Conversation;
  session: Session;
  project: Project;
  organization: Organization;
  /** The runner that claims the attempt, or ran it. */
  runner: Runner | null;
  /** The chain that the conversation is about; null: the project as a whole. */
  chain: Chain | null;
  /** The turn whose session is the parent; null for the first one. */
  previous: Pick<Turn, 'agent' | 'epoch' | 'position' | 'answer'> | null;
}

type Json = Record<string, unknown>;

/** Reads the rows around a turn in one statement, after the attempt was locked. */
export async function readTurnContext(
  db: TenantDb,
  sessionId: string,
  runnerId: string | null,
): Promise<TurnContext> {
  const [row] = await sqlRows(db)<
    Record<keyof TurnContext, Json | null>
  >`select to_jsonb(s) as session, to_jsonb(t) as turn, to_jsonb(v) as conversation,
        to_jsonb(p) as project, to_jsonb(o) as organization, to_jsonb(r) as runner,
        to_jsonb(c) as chain, to_jsonb(b) as previous
      from session s
      join turn t on t.organization_id = s.organization_id and t.session_id = s.id
      join conversation v on v.organization_id = s.organization_id and v.id = t.conversation_id
      join project p on p.organization_id = s.organization_id and p.id = s.project_id
      join organization o on o.id = s.organization_id
      left join runner r on r.organization_id = s.organization_id and r.id = ${runnerId}::uuid
      left join chain c on c.organization_id = s.organization_id and c.id = v.chain_id
      left join turn b on b.organization_id = s.organization_id and b.session_id = s.parent_session_id
      where s.organization_id = ${db.organizationId}::uuid and s.id = ${sessionId}::uuid`;
  if (!row?.session || !row.turn || !row.conversation || !row.project || !row.organization) {
    throw new NotFoundError();
  }
  return {
    session: fromJson<Session>(row.session),
    turn: fromJson<Turn>(row.turn),
    conversation: fromJson<Conversation>(row.conversation),
    project: fromJson<Project>(row.project),
    organization: fromJson<Organization>(row.organization),
    runner: row.runner && fromJson<Runner>(row.runner),
    chain: row.chain && fromJson<Chain>(row.chain),
    previous: row.previous && fromJson<Turn>(row.previous),
  };
}

/** Returns the turns before this one in the history, with their questions and answers. */
export function listTurnsBefore(db: TenantDb, turn: Pick<Turn, 'conversationId' | 'position'>) {
  return db.turn.findMany({
    where: {
      conversationId: turn.conversationId,
      position: { lt: turn.position },
      cutAt: null,
    },
    orderBy: { position: 'asc' },
    include: { questions: { where: { answers: { not: Prisma.DbNull } }, orderBy: { id: 'asc' } } },
  });
}

/**
 * Returns the sessions of the chain that a conversation is about, in the order in which they ran.
 */
export function listSessionsOfChain(db: TenantDb, chainId: string) {
  return db.session.findMany({
    where: { chainId },
    orderBy: { number: 'asc' },
    select: { tier: true, number: true, statusText: true, report: true },
  });
}
