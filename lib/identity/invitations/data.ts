import { type Invitation, Prisma } from '@/generated/prisma/client';
import type { Role } from '@/lib/platform/db/roles';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { type Place, pageArgs } from '@/lib/platform/http/cursor';

export type InvitationRow = Invitation;

const OPEN = { acceptedAt: null, revokedAt: null };

/** Returns pending and expired invitations, newest first. */
export function listOpenInvitations(db: TenantDb, place: Place): Promise<Invitation[]> {
  const { id, ...page } = pageArgs(place);
  return db.invitation.findMany({ where: { ...OPEN, id }, ...page });
}

export function findInvitation(db: TenantDb, id: string): Promise<Invitation | null> {
  return db.invitation.findFirst({ where: { id } });
}

export function findOpenInvitation(db: TenantDb, email: string): Promise<Invitation | null> {
  return db.invitation.findFirst({ where: { ...OPEN, email } });
}

export function insertInvitation(
  db: TenantDb,
  row: Omit<Prisma.InvitationUncheckedCreateInput, 'organizationId'>,
): Promise<Invitation> {
  return db.invitation.create({ data: { ...row, organizationId: db.organizationId } });
}

/** Replaces the link of an invitation. Returns false if the invitation is no longer open. */
export async function renewInvitation(
  db: TenantDb,
  id: string,
  change: { tokenHash: string; sentAt: Date; expiresAt: Date; invitedBy: string; role?: Role },
): Promise<boolean> {
  const { count } = await db.invitation.updateMany({ where: { ...OPEN, id }, data: change });
  return count === 1;
}

/** Revokes an invitation. Returns false if it is no longer open. */
export async function markInvitationRevoked(db: TenantDb, id: string, now: Date): Promise<boolean> {
  const { count } = await db.invitation.updateMany({
    where: { ...OPEN, id },
    data: { revokedAt: now },
  });
  return count === 1;
}

/**
 * Marks an invitation as accepted. Returns false if it was used, revoked, sent again or expired in
 * the meantime.
 */
export async function markInvitationAccepted(
  db: TenantDb,
  id: string,
  tokenHash: string,
  now: Date,
): Promise<boolean> {
  const { count } = await db.invitation.updateMany({
    where: { ...OPEN, id, tokenHash, expiresAt: { gt: now } },
    data: { acceptedAt: now },
  });
  return count === 1;
}

/** Whether the person behind the address is a member already. */
export async function isMemberByEmail(db: TenantDb, email: string): Promise<boolean> {
  return (await db.membership.count({ where: { user: { email } } })) > 0;
}

/** Returns whether the error means that the same address was invited twice at once. */
export function isOpenInvitationConflict(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}
