import { z } from 'zod';
import { asRole, hasRole, ROLES, type Role } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction, type TenantDb } from '@/lib/platform/db/tenant-db';
import { NotFoundError } from '@/lib/platform/errors';
import { decodeCursor, pageOf } from '@/lib/platform/http/cursor';
import { encodeId, requireId } from '@/lib/platform/ids';
import { countTokensOfMakers } from '../api-tokens/data';
import { listHolders } from '../factors/data';
import { mayDo, requireMay } from '../tenancy/role-matrix';
import { findMemberRow, lastSeenOf, listMemberRows, type MemberRow } from './data';
import type { MemberDto } from './schema';

/**
 * Returns members in the order in which they joined. Readers below admin only get names and roles.
 */
export function listMembers(
  scope: TenantScope,
  page: { limit: number; cursor?: string | undefined },
  now = new Date(),
): Promise<{ data: MemberDto[]; nextCursor: string | null }> {
  requireMay(scope, 'member.read');
  const position = decodeCursor(page.cursor, z.tuple([z.coerce.date(), z.uuid()]));
  const after = position ? { createdAt: position[0], userId: position[1] } : null;
  return inTransaction(scope, async (db) => {
    const found = await listMemberRows(db, { limit: page.limit, after });
    const { rows, nextCursor } = pageOf(found, page.limit, (row) => [row.createdAt, row.userId]);
    return { data: await memberDtos(db, scope, rows, now), nextCursor };
  });
}

/** Throws NotFoundError for anyone who isn't a member. */
export function getMember(
  scope: TenantScope,
  memberId: string,
  now = new Date(),
): Promise<MemberDto> {
  requireMay(scope, 'member.read');
  const userId = requireId('mem', memberId);
  return inTransaction(scope, (db) => memberDto(db, scope, userId, now));
}

/** In a transaction that is open already. */
export async function memberDto(
  db: TenantDb,
  scope: TenantScope,
  userId: string,
  now: Date,
): Promise<MemberDto> {
  const row = await findMemberRow(db, userId);
  const [dto] = row ? await memberDtos(db, scope, [row], now) : [];
  if (!dto) throw new NotFoundError();
  return dto;
}

async function memberDtos(
  db: TenantDb,
  scope: TenantScope,
  rows: readonly MemberRow[],
  now: Date,
): Promise<MemberDto[]> {
  // A token is bounded by its scope members:read, which an admin gave it.
  const isFull = scope.actor.kind === 'api_token' || mayDo(scope.role, 'member.manage');
  if (!isFull) return rows.map((row) => publicDto(row, scope.actor.id));
  const userIds = rows.map((row) => row.userId);
  const seen = await lastSeenOf(db, userIds);
  const holders = await listHolders(db, userIds);
  const tokens = await countTokensOfMakers(
    db,
    rows.map((row) => row.user.email),
    now,
  );
  return rows.map((row) => ({
    ...publicDto(row, scope.actor.id),
    email: row.user.email,
    lastSeenAt: seen.get(row.userId)?.toISOString() ?? null,
    tokenCount: tokens.get(row.user.email) ?? 0,
    hasSecondFactor: holders.has(row.userId),
  }));
}

function publicDto(row: MemberRow, readerId: string): MemberDto {
  return {
    id: encodeId('mem', row.userId),
    name: row.user.name,
    email: row.userId === readerId ? row.user.email : null,
    role: asRole(row.role),
    joinedAt: row.createdAt.toISOString(),
    lastSeenAt: null,
    tokenCount: null,
    hasSecondFactor: null,
  };
}

/** Returns people with these roles by the time they joined, at most `limit`. */
export async function listPeopleOfRoles(
  db: TenantDb,
  roles: readonly Role[],
  limit: number,
): Promise<{ id: string; name: string; email: string }[]> {
  const rows = await db.membership.findMany({
    where: { role: { in: [...roles] } },
    orderBy: { createdAt: 'asc' },
    take: limit,
    select: { user: { select: { id: true, name: true, email: true } } },
  });
  return rows.map((row) => row.user);
}

const MAX_NAMES = 2;

/** Names of people with the role or one above it, at most two: whom someone without it can ask. */
export function listNamesWithRole(scope: TenantScope, needed: Role): Promise<string[]> {
  const roles = ROLES.filter((role) => hasRole(role, needed));
  return inTransaction(scope, async (db) => {
    const people = await listPeopleOfRoles(db, roles, MAX_NAMES);
    return people.map((person) => person.name || person.email);
  });
}
