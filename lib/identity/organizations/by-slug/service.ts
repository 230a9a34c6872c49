import { scopeOfSystem } from '@/lib/identity/tenancy/make-scope';
import type { TenantScope } from '@/lib/platform/db/scope';
import { findOrganizationBySlug } from './data';

/** The scope in which someone at the machine itself makes an organization's first token. */
export async function findScopeBySlug(slug: string): Promise<TenantScope | null> {
  const organization = await findOrganizationBySlug(slug);
  return organization && scopeOfSystem(organization.id, 'Command line');
}
