import type { OrganizationId, TenantScope } from '@/lib/platform/db/scope';

/**
 * The scope in which a person makes a new organization, of which they become the owner in the
 * same transaction. The id must be a fresh UUID: nobody can own what exists.
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
