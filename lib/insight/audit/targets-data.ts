import type { TenantDb } from '@/lib/platform/db/tenant-db';

const PROJECT = { select: { slug: true, name: true } } as const;

/** Reads the rows behind ids of one kind, with what names them; deleted ones are left out. */
export const TARGET_ROWS = {
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
