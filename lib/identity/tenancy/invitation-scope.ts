import { hashToken, readTokenPrefix } from '@/lib/platform/crypto/tokens';
import { asRole, type Role } from '@/lib/platform/db/roles';
import type { OrganizationId, TenantScope } from '@/lib/platform/db/scope';
import { findInvitation, isInvited } from './data';

/** What whoever holds an invitation's link may know about it. */
export interface InvitationOfLink {
  id: string;
  organizationId: string;
  organizationSlug: string;
  organizationName: string;
  email: string;
  role: Role;
  /** Who to ask for another one. */
  invitedBy: string;
  expiresAt: Date;
  acceptedAt: Date | null;
  revokedAt: Date | null;
}

/** The invitation of a link's token, in whatever state it is; null for a token that names none. */
export async function findInvitationOfLink(token: string): Promise<InvitationOfLink | null> {
  if (readTokenPrefix(token) !== 'inv') return null;
  const row = await findInvitation(hashToken(token));
  if (!row) return null;
  return {
    id: row.id,
    organizationId: row.organization_id,
    organizationSlug: row.organization_slug,
    organizationName: row.organization_name,
    email: row.email,
    role: asRole(row.role),
    invitedBy: row.invited_by,
    expiresAt: row.expires_at,
    acceptedAt: row.accepted_at,
    revokedAt: row.revoked_at,
  };
}

/** Whether somebody waits for a person of this e-mail address, in any organization. */
export function isInvitedAnywhere(email: string, now: Date): Promise<boolean> {
  return isInvited(email, now);
}

/** The scope in which somebody joins by their own invitation, as what it says. */
export function scopeOfInvitee(
  user: { id: string; label: string },
  invitation: InvitationOfLink,
): TenantScope {
  return {
    organizationId: invitation.organizationId as OrganizationId,
    organizationSlug: invitation.organizationSlug,
    actor: { kind: 'user', id: user.id, label: user.label },
    role: invitation.role,
  };
}
