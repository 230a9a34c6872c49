import type { Role } from '@/lib/platform/db/roles';
import { sqlChanges } from '@/lib/platform/db/sql';
import type { TenantDb } from '@/lib/platform/db/tenant-db';

/**
 * Lets one change of memberships at a time into the transaction: two owners who demote each other
 * would both see the other one stay.
 */
export async function lockMemberships(db: TenantDb): Promise<void> {
  await sqlChanges(
    db,
  )`select id from organization where id = ${db.organizationId}::uuid for no key update`;
}

const MEMBER = {
  userId: true,
  role: true,
  createdAt: true,
  user: { select: { name: true, email: true } },
} as const;

export type MemberRow = NonNullable<Awaited<ReturnType<typeof findMemberRow>>>;

/** Returns members in the order in which they joined. */
export function listMemberRows(
  db: TenantDb,
  page: { limit: number; after: { createdAt: Date; userId: string } | null },
) {
  const { after } = page;
  return db.membership.findMany({
    where: after
      ? {
          OR: [
            { createdAt: { gt: after.createdAt } },
            { createdAt: after.createdAt, userId: { gt: after.userId } },
          ],
        }
      : {},
    orderBy: [{ createdAt: 'asc' }, { userId: 'asc' }],
    take: page.limit + 1,
    select: MEMBER,
  });
}

export function findMemberRow(db: TenantDb, userId: string) {
  return db.membership.findFirst({ where: { userId }, select: MEMBER });
}

/** Returns when people were last seen, without entries for people who never were. */
export async function lastSeenOf(
  db: TenantDb,
  userIds: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await db.authSession.groupBy({
    by: ['userId'],
    where: { userId: { in: [...userIds] } },
    _max: { lastSeenAt: true },
  });
  return new Map(
    rows.flatMap(({ userId, _max }) => (_max.lastSeenAt ? [[userId, _max.lastSeenAt]] : [])),
  );
}

/** Returns the name of any person with an account. */
export async function findPersonName(db: TenantDb, userId: string): Promise<string | null> {
  const row = await db.user.findUnique({ where: { id: userId }, select: { name: true } });
  return row?.name ?? null;
}

export function countOwners(db: TenantDb): Promise<number> {
  return db.membership.count({ where: { role: 'owner' } });
}

export async function findRole(db: TenantDb, userId: string): Promise<string | null> {
  const row = await db.membership.findFirst({ where: { userId }, select: { role: true } });
  return row?.role ?? null;
}

/** Adds a member. Returns false if the person is already one. */
export async function insertMember(
  db: TenantDb,
  member: { userId: string; role: Role },
): Promise<boolean> {
  const { count } = await db.membership.createMany({
    data: [{ ...member, organizationId: db.organizationId }],
    skipDuplicates: true,
  });
  return count === 1;
}

export async function setMemberRole(db: TenantDb, userId: string, role: Role): Promise<void> {
  await db.membership.updateMany({ where: { userId }, data: { role } });
}

export async function deleteMember(db: TenantDb, userId: string): Promise<void> {
  await db.membership.deleteMany({ where: { userId } });
}
