import { notFound } from 'next/navigation';
import { cache } from 'react';
import { requireMember } from '@/lib/identity/auth/current-user';
import { getApproval } from '@/lib/insight/approvals/list-approvals';
import { NotFoundError } from '@/lib/platform/errors';

/** The approval of the address; leads to the 404 page when it is not there. */
export const loadApproval = cache(async (orgSlug: string, approvalId: string) => {
  const { user, scope } = await requireMember(orgSlug);
  try {
    return { user, scope, approval: await getApproval(scope, approvalId) };
  } catch (error) {
    if (error instanceof NotFoundError) notFound();
    throw error;
  }
});
