/** Who a test acts as: the owner of an organization, with a token for the REST API. */

import { randomBytes } from 'node:crypto';
import { createApiToken } from '@/lib/identity/api-tokens/service';
import { createAccount } from '@/lib/identity/auth/sign-up';
import { scopeOfMember } from '@/lib/identity/tenancy/make-scope';
import { globalDb } from '@/lib/platform/db/global-db';
import type { TenantScope } from '@/lib/platform/db/scope';

export interface Account {
  scope: TenantScope;
  token: string;
  email: string;
}

/** Of every account that a test makes. */
export const PASSWORD = 'correct horse battery';

/** A new organization. */
export async function foundAccount(): Promise<Account> {
  const email = `${randomBytes(6).toString('hex')}@acme.example`;
  const { organizationSlug } = await createAccount({
    email,
    password: PASSWORD,
    name: 'Alice',
    organizationName: `Acme ${randomBytes(4).toString('hex')}`,
  });
  return accountOf(email, organizationSlug);
}

/** Of somebody who is there already. */
export async function accountOf(email: string, organizationSlug: string): Promise<Account> {
  const user = await globalDb().user.findUniqueOrThrow({ where: { email } });
  const scope = await scopeOfMember(
    { id: user.id, label: email, provedAt: new Date() },
    organizationSlug,
  );
  const input = { name: 'product test', scopes: ['all' as const], expiresInDays: 1 };
  return { scope, email, token: (await createApiToken(scope, input)).token };
}
