import { maskUrl } from '@/lib/deliveries/endpoints/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { decodeId, encodeId } from '@/lib/platform/ids';

interface ProjectName {
  slug: string;
  name: string;
}

/** What an entry of the audit log is about, as people know it. */
export type AuditTarget =
  | {
      kind: 'session';
      number: number;
      tier: number;
      project: ProjectName;
      /** `cnv_…` where the session worked out a turn of a conversation. */
      conversationId: string | null;
    }
  | { kind: 'chain' | 'incident'; number: number; project: ProjectName }
  | { kind: 'alert_source'; name: string; project: ProjectName }
  | { kind: 'project'; project: ProjectName }
  | { kind: 'approval'; chainNumber: number; tier: number; project: ProjectName }
  | { kind: 'conversation'; title: string; project: ProjectName }
  | { kind: 'runner' | 'channel' | 'policy' | 'token' | 'member'; name: string }
  | { kind: 'invitation'; email: string }
  | { kind: 'endpoint'; url: string };

type Rows = {
  [Prefix in keyof typeof TARGET_ROWS]: Awaited<ReturnType<(typeof TARGET_ROWS)[Prefix]>>[number];
};

const TO_TARGET: { [Prefix in keyof Rows]: (row: Rows[Prefix]) => AuditTarget } = {
  ses: ({ number, tier, project, turn }) => ({
    kind: 'session',
    number,
    tier,
    project,
    conversationId: turn ? encodeId('cnv', turn.conversationId) : null,
  }),
  chn: ({ number, project }) => ({ kind: 'chain', number, project }),
  inc: ({ number, project }) => ({ kind: 'incident', number, project }),
  als: ({ name, project }) => ({ kind: 'alert_source', name, project }),
  prj: ({ slug, name }) => ({ kind: 'project', project: { slug, name } }),
  apr: ({ tier, chain, project }) => ({
    kind: 'approval',
    chainNumber: chain.number,
    tier,
    project,
  }),
  cnv: ({ title, project }) => ({ kind: 'conversation', title, project }),
  rnr: ({ name }) => ({ kind: 'runner', name }),
  whk: ({ url }) => ({ kind: 'endpoint', url: maskUrl(url) }),
  ntc: ({ name }) => ({ kind: 'channel', name }),
  esp: ({ name }) => ({ kind: 'policy', name }),
  tok: ({ name }) => ({ kind: 'token', name }),
  inv: ({ email }) => ({ kind: 'invitation', email }),
  mem: ({ name }) => ({ kind: 'member', name }),
  usr: ({ name }) => ({ kind: 'member', name }),
};

/**
 * Returns what the ids of audit entries stand for now, with one query for each kind of id among
 * them. What was deleted since is left out.
 */
export function nameAuditTargets(
  scope: TenantScope,
  ids: readonly string[],
): Promise<Map<string, AuditTarget>> {
  return inTransaction(scope, async (db) => {
    const named = new Map<string, AuditTarget>();
    for (const prefix of Object.keys(TARGET_ROWS) as (keyof Rows)[]) {
      await nameOfKind(db, prefix, ids, named);
    }
    return named;
  });
}

async function nameOfKind<Prefix extends keyof Rows>(
  db: TenantDb,
  prefix: Prefix,
  ids: readonly string[],
  named: Map<string, AuditTarget>,
): Promise<void> {
  const own = [...new Set(ids.flatMap((id) => decodeId(prefix, id) ?? []))];
  if (own.length === 0) return;
  const rows = (await TARGET_ROWS[prefix](db, own)) as Rows[Prefix][];
  for (const row of rows) named.set(encodeId(prefix, row.id), TO_TARGET[prefix](row));
}

const PROJECT = { select: { slug: true, name: true } } as const;

/** Reads the rows behind ids of one kind, with what names them; deleted ones are left out. */
const TARGET_ROWS = {
  ses: (db: TenantDb, ids: string[]) =>
    db.session.findMany({
      where: { id: { in: ids } },
      select: {
        id: true,
        number: true,
        tier: true,
        kind: true,
        project: PROJECT,
        turn: { select: { conversationId: true } },
      },
    }),
  chn: (db: TenantDb, ids: string[]) =>
    db.chain.findMany({
      where: { id: { in: ids } },
      select: { id: true, number: true, project: PROJECT },
    }),
  inc: (db: TenantDb, ids: string[]) =>
    db.incident.findMany({
      where: { id: { in: ids } },
      select: { id: true, number: true, project: PROJECT },
    }),
  als: (db: TenantDb, ids: string[]) =>
    db.signalSource.findMany({
      where: { id: { in: ids } },
      select: { id: true, name: true, project: PROJECT },
    }),
  prj: (db: TenantDb, ids: string[]) =>
    db.project.findMany({
      where: { id: { in: ids } },
      select: { id: true, slug: true, name: true },
    }),
  apr: (db: TenantDb, ids: string[]) =>
    db.approval.findMany({
      where: { id: { in: ids } },
      select: { id: true, tier: true, chain: { select: { number: true } }, project: PROJECT },
    }),
  cnv: (db: TenantDb, ids: string[]) =>
    db.conversation.findMany({
      where: { id: { in: ids }, deletedAt: null },
      select: { id: true, title: true, project: PROJECT },
    }),
  rnr: (db: TenantDb, ids: string[]) =>
    db.runner.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } }),
  whk: (db: TenantDb, ids: string[]) =>
    db.webhookEndpoint.findMany({ where: { id: { in: ids } }, select: { id: true, url: true } }),
  ntc: (db: TenantDb, ids: string[]) =>
    db.notificationChannel.findMany({
      where: { id: { in: ids } },
      select: { id: true, name: true },
    }),
  esp: (db: TenantDb, ids: string[]) =>
    db.pagingPolicy.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } }),
  tok: (db: TenantDb, ids: string[]) =>
    db.apiToken.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } }),
  inv: (db: TenantDb, ids: string[]) =>
    db.invitation.findMany({ where: { id: { in: ids } }, select: { id: true, email: true } }),
  mem: listMembers,
  usr: listMembers,
} as const;

async function listMembers(db: TenantDb, ids: string[]) {
  const rows = await db.membership.findMany({
    where: { userId: { in: ids } },
    select: { userId: true, user: { select: { name: true } } },
  });
  return rows.map(({ userId, user }) => ({ id: userId, name: user.name }));
}
