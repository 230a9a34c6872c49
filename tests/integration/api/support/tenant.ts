import { randomBytes } from 'node:crypto';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import { foundOrganization } from '@/lib/identity/organizations/service';
import { scopeOfMember } from '@/lib/identity/tenancy/make-scope';
import type { TokenScope } from '@/lib/identity/token-scopes';
import { globalDb } from '@/lib/platform/db/global-db';
import type { Role } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';

export interface Tenant {
  slug: string;
  organizationId: string;
  /** The owner's. */
  scope: TenantScope;
  /** The same person in another role. */
  as(role: Role): TenantScope;
  token(...scopes: TokenScope[]): Promise<string>;
}

/** An organization of its own, with an owner. */
export async function makeTenant(name = 'Acme'): Promise<Tenant> {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const user = await globalDb().user.create({ data: { email, name: 'Alice' } });
  const founder = { id: user.id, label: email, provedAt: new Date() };
  const { organizationId, slug } = await foundOrganization(founder, { name });
  const scope = await scopeOfMember(founder, slug);
  return {
    slug,
    organizationId,
    scope,
    as: (role) => ({ ...scope, role }),
    token: async (...scopes) =>
      (await createApiToken(scope, { name: 'test', scopes, expiresInDays: 1 })).token,
  };
}
