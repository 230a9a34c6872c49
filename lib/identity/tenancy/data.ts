/** What is looked up before a tenant is known, each through one narrow function of the database. */

import { sql } from 'kysely';
import type {
  ApiToken,
  EnrolmentToken,
  Invitation,
  Membership,
  Organization,
  Runner,
} from '@/generated/prisma/client';
import { lookedUp } from '@/lib/platform/db/sql';

type MembershipRow = Pick<Membership, 'organizationId' | 'role'> &
  Pick<Organization, 'slug' | 'name' | 'isDemo' | 'requiresSecondFactor'>;

/** Returns every organization of a person, by name. */
export function listMembershipRows(userId: string): Promise<MembershipRow[]> {
  return lookedUp(sql<MembershipRow>`select * from app.memberships_of(${userId})`);
}

export type ApiTokenRow = Pick<
  ApiToken,
  'organizationId' | 'id' | 'name' | 'scopes' | 'role' | 'expiresAt' | 'revokedAt'
>;

export async function findApiToken(tokenHash: string): Promise<ApiTokenRow | null> {
  const [row] = await lookedUp(sql<ApiTokenRow>`select * from app.find_api_token(${tokenHash})`);
  return row ?? null;
}

type KeyState = 'Process' | 'Instance' | 'HeldUntil' | 'ReplacedProcess' | 'RefusedProcess';
type RunnerRow = Pick<Runner, 'organizationId' | 'id' | 'name' | 'revokedAt' | `key${KeyState}`>;

export async function findRunner(keyHash: string): Promise<RunnerRow | null> {
  const [row] = await lookedUp(sql<RunnerRow>`select * from app.find_runner(${keyHash})`);
  return row ?? null;
}

type EnrolmentRow = Pick<EnrolmentToken, 'organizationId' | 'id' | 'expiresAt' | 'usedAt'>;

export async function findEnrolmentToken(tokenHash: string): Promise<EnrolmentRow | null> {
  const found = sql<EnrolmentRow>`select * from app.find_enrolment_token(${tokenHash})`;
  return (await lookedUp(found))[0] ?? null;
}

type InvitationRow = Omit<Invitation, 'tokenHash' | 'createdAt' | 'sentAt'> & {
  organizationSlug: string;
  organizationName: string;
};

export async function findInvitation(tokenHash: string): Promise<InvitationRow | null> {
  const [row] = await lookedUp(sql<InvitationRow>`select * from app.find_invitation(${tokenHash})`);
  return row ?? null;
}

/** Returns whether any organization has an open invitation for this e-mail address. */
export async function isInvited(email: string, now: Date): Promise<boolean> {
  const invited = sql<{
    isInvited: boolean;
  }>`select app.is_invited(${email}, ${now}) as is_invited`;
  return (await lookedUp(invited))[0]?.isInvited ?? false;
}
