/** What is looked up before a tenant is known, each through one narrow function of the database. */

import { Prisma } from '@/generated/prisma/client';
import { lookUp } from '@/lib/platform/db/global-db';

interface MembershipRow {
  organization_id: string;
  slug: string;
  name: string;
  role: string;
  is_demo: boolean;
  requires_second_factor: boolean;
}

/** Returns every organization of a person, by name. */
export function listMembershipRows(userId: string): Promise<MembershipRow[]> {
  return lookUp(Prisma.sql`select * from app.memberships_of(${userId}::uuid)`);
}

export interface ApiTokenRow {
  organization_id: string;
  id: string;
  name: string;
  scopes: string[];
  role: string;
  expires_at: Date | null;
  revoked_at: Date | null;
}

export async function findApiToken(tokenHash: string): Promise<ApiTokenRow | null> {
  const [row] = await lookUp<ApiTokenRow>(
    Prisma.sql`select * from app.find_api_token(${tokenHash})`,
  );
  return row ?? null;
}

interface RunnerRow {
  organization_id: string;
  id: string;
  name: string;
  revoked_at: Date | null;
  key_process: string | null;
  key_instance: string | null;
  key_held_until: Date | null;
  key_replaced_process: string | null;
  key_refused_process: string | null;
}

export async function findRunner(keyHash: string): Promise<RunnerRow | null> {
  const [row] = await lookUp<RunnerRow>(Prisma.sql`select * from app.find_runner(${keyHash})`);
  return row ?? null;
}

interface EnrolmentRow {
  organization_id: string;
  id: string;
  expires_at: Date;
  used_at: Date | null;
}

export async function findEnrolmentToken(tokenHash: string): Promise<EnrolmentRow | null> {
  const [row] = await lookUp<EnrolmentRow>(
    Prisma.sql`select * from app.find_enrolment_token(${tokenHash})`,
  );
  return row ?? null;
}

interface InvitationRow {
  id: string;
  organization_id: string;
  organization_slug: string;
  organization_name: string;
  email: string;
  role: string;
  invited_by: string;
  expires_at: Date;
  accepted_at: Date | null;
  revoked_at: Date | null;
}

export async function findInvitation(tokenHash: string): Promise<InvitationRow | null> {
  const [row] = await lookUp<InvitationRow>(
    Prisma.sql`select * from app.find_invitation(${tokenHash})`,
  );
  return row ?? null;
}

/** Returns whether any organization has an open invitation for this e-mail address. */
export async function isInvited(email: string, now: Date): Promise<boolean> {
  const [row] = await lookUp<{ invited: boolean }>(
    Prisma.sql`select app.is_invited(${email}, ${now}) as invited`,
  );
  return row?.invited ?? false;
}
