import { cache } from 'react';
import { listNamesWithRole } from '@/lib/identity/members/list-members';
import { hasRole, type Role } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';

/** Null: the reader may do it. Otherwise the sentence for the disabled control. */
export type Refusal = string | null;

/**
 * "Needs the operator role. Ana Ruiz and Tom Weber can change that."
 *
 * @param need says what needs it where the sentence stands alone: "Asking needs"
 */
export const refusalOf = cache(
  async (scope: TenantScope, needed: Role, need = 'Needs'): Promise<Refusal> => {
    if (hasRole(scope.role, needed)) return null;
    const names = await listNamesWithRole(scope, needed);
    const who = names.length > 0 ? ` ${names.join(' and ')} can change that.` : '';
    return `${need} the ${needed} role.${who}`;
  },
);
