/** The only place where a TenantScope is made, each time from something that was checked. */

import { hashToken, readTokenPrefix } from '@/lib/platform/crypto/tokens';
import { asRole, type Role } from '@/lib/platform/db/roles';
import type { OrganizationId, TenantScope, TokenClient } from '@/lib/platform/db/scope';
import {
  NotFoundError,
  SecondFactorRequiredError,
  UnauthenticatedError,
} from '@/lib/platform/errors';
import { encodeId } from '@/lib/platform/ids';
import {
  type ApiTokenRow,
  findApiToken,
  findEnrolmentToken,
  findInvitation,
  findRunner,
  isInvited,
  listMembershipRows,
} from './data';
import { RefusedTokenError } from './refused-token';

export interface MembershipOfUser {
  organizationId: string;
  slug: string;
  name: string;
  role: Role;
  isDemo: boolean;
  /** Whether it is only open to sign-ins with a second factor. */
  requiresSecondFactor: boolean;
}

/** A person; what is left out of how they signed in counts as not done. */
interface Member {
  id: string;
  label: string;
  /** When they last showed who they are. */
  provedAt?: Date;
  /** When they last did with a second factor in this sign-in. */
  secondFactorAt?: Date | null;
}

/** Returns every organization of a person, by name. */
export async function listMembershipsOfUser(userId: string): Promise<MembershipOfUser[]> {
  const rows = await listMembershipRows(userId);
  return rows.map((row) => ({ ...row, role: asRole(row.role) }));
}

/** Whether the person's sign-in is good enough for an organization of theirs. */
export function isReachable(
  { requiresSecondFactor }: Pick<MembershipOfUser, 'requiresSecondFactor'>,
  { secondFactorAt }: Pick<Member, 'secondFactorAt'>,
): boolean {
  return !requiresSecondFactor || Boolean(secondFactorAt);
}

/**
 * Throws NotFoundError for an organization that is missing or not the person's, which look the same,
 * and SecondFactorRequiredError for one that requires a second factor of this sign-in.
 */
export async function scopeOfMember(user: Member, organizationSlug: string): Promise<TenantScope> {
  const memberships = await listMembershipsOfUser(user.id);
  const membership = memberships.find((row) => row.slug === organizationSlug);
  if (!membership) throw new NotFoundError();
  if (!isReachable(membership, user)) throw new SecondFactorRequiredError();
  return {
    organizationId: membership.organizationId as OrganizationId,
    organizationSlug: membership.slug,
    actor: { kind: 'user', id: user.id, label: user.label, provedAt: user.provedAt },
    role: membership.role,
  };
}

/** Throws UnauthenticatedError for an unknown, expired or revoked token. */
export async function scopeOfApiToken(token: string, now = new Date()): Promise<TenantScope> {
  const row = await findApiToken(hashToken(token));
  const message = 'The token is unknown, expired or revoked.';
  if (!row) throw new UnauthenticatedError(message);
  if (row.revokedAt || (row.expiresAt && row.expiresAt <= now)) {
    throw new RefusedTokenError(message, {
      organizationId: row.organizationId,
      action: 'api_token.refused',
      target: encodeId('tok', row.id),
      name: row.name,
      reason: row.revokedAt ? 'revoked' : 'expired',
    });
  }
  return {
    organizationId: row.organizationId as OrganizationId,
    organizationSlug: '',
    actor: { kind: 'api_token', id: row.id, label: row.name, scopes: row.scopes },
    role: roleOfToken(row),
  };
}

/**
 * Returns the same scope with the program that acts with its token, which audit entries then name.
 * The scope of anything else than a token stays as it is.
 */
export function scopeWithClient(scope: TenantScope, client: TokenClient): TenantScope {
  const { actor } = scope;
  return actor.kind === 'api_token' ? { ...scope, actor: { ...actor, client } } : scope;
}

/** Which process uses a runner’s key; see lib/fleet/key-holder.ts. */
export interface KeyHolder {
  keyProcess: string | null;
  keyInstance: string | null;
  keyHeldUntil: Date | null;
  keyReplacedProcess: string | null;
  keyRefusedProcess: string | null;
}

/** Throws UnauthenticatedError for an unknown or revoked runner key. */
export async function scopeOfRunner(key: string): Promise<TenantScope> {
  return (await identifyRunner(key)).scope;
}

/** The same, with the process that holds the key at this moment. */
export async function identifyRunner(
  key: string,
): Promise<{ scope: TenantScope; holder: KeyHolder }> {
  const row = await findRunner(hashToken(key));
  const message = 'The runner key is unknown or revoked.';
  if (!row) throw new UnauthenticatedError(message);
  if (row.revokedAt) {
    throw new RefusedTokenError(message, {
      organizationId: row.organizationId,
      action: 'runner.key_refused',
      target: encodeId('rnr', row.id),
      name: row.name,
      reason: 'revoked',
    });
  }
  const scope: TenantScope = {
    organizationId: row.organizationId as OrganizationId,
    organizationSlug: '',
    actor: { kind: 'runner', id: row.id, label: row.name },
    role: 'viewer',
  };
  const holder = {
    keyProcess: row.keyProcess,
    keyInstance: row.keyInstance,
    keyHeldUntil: row.keyHeldUntil,
    keyReplacedProcess: row.keyReplacedProcess,
    keyRefusedProcess: row.keyRefusedProcess,
  };
  return { scope, holder };
}

/** Returns the scope in which an enrollment token may register one runner, and the token's id. */
export async function scopeOfEnrolmentToken(
  token: string,
  now = new Date(),
): Promise<{ scope: TenantScope; tokenId: string }> {
  const row = await findEnrolmentToken(hashToken(token));
  const message =
    'The enrollment token is unknown, used or expired. Create a new one on the Runners page.';
  if (!row) throw new UnauthenticatedError(message);
  if (row.usedAt || row.expiresAt <= now) {
    throw new RefusedTokenError(message, {
      organizationId: row.organizationId,
      action: 'runner.token_refused',
      target: encodeId('enr', row.id),
      reason: row.usedAt ? 'used' : 'expired',
    });
  }
  return {
    scope: {
      organizationId: row.organizationId as OrganizationId,
      organizationSlug: '',
      actor: { kind: 'system', id: 'enrolment', label: 'Enrolment' },
      role: 'admin',
    },
    tokenId: row.id,
  };
}

/**
 * Returns the scope for work requested by a stored row: jobs, sweeps, settlement. The id comes from
 * that row.
 */
export function scopeOfSystem(organizationId: string, label = 'Tierwatch'): TenantScope {
  return {
    organizationId: organizationId as OrganizationId,
    organizationSlug: '',
    actor: { kind: 'system', id: 'control-plane', label },
    role: 'owner',
  };
}

// What a token may do is bounded by its scopes at the route, and in the services by the role of who
// made it; one that only reads or runs has less.
function roleOfToken({ scopes, role }: ApiTokenRow): Role {
  if (scopes.some((scope) => scope === 'all' || scope.endsWith(':write'))) return asRole(role);
  const operates = scopes.includes('chains:run') || scopes.includes('approvals:decide');
  return operates ? 'operator' : 'viewer';
}

/** What the holder of an invitation link may see. */
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

/** Returns the invitation of a link's token, in any state; null for an unknown token. */
export async function findInvitationOfLink(token: string): Promise<InvitationOfLink | null> {
  if (readTokenPrefix(token) !== 'inv') return null;
  const row = await findInvitation(hashToken(token));
  return row ? { ...row, role: asRole(row.role) } : null;
}

/** Returns whether any organization has an open invitation for this e-mail address. */
export function isInvitedAnywhere(email: string, now: Date): Promise<boolean> {
  return isInvited(email, now);
}

/** Returns the scope for accepting an invitation, with its role. */
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

/**
 * Returns the scope in which a person creates an organization and becomes its owner in the same
 * transaction. The id must be a fresh UUID, so that nobody can take over an existing one.
 */
export function scopeOfFounder(
  user: { id: string; label: string },
  organization: { id: string; slug: string },
): TenantScope {
  return {
    organizationId: organization.id as OrganizationId,
    organizationSlug: organization.slug,
    actor: { kind: 'user', id: user.id, label: user.label },
    role: 'owner',
  };
}
