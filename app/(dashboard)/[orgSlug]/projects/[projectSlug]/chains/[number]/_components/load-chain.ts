import { notFound } from 'next/navigation';
import { cache } from 'react';
import { requireMember } from '@/lib/identity/auth/current-user';
import { getChain } from '@/lib/insight/chains/get-chain';
import { NotFoundError } from '@/lib/platform/errors';

/** The chain of the address; leads to the 404 page when it is not there. */
export const loadChain = cache(async (orgSlug: string, projectSlug: string, number: string) => {
  const { scope } = await requireMember(orgSlug);
  if (!/^\d{1,9}$/.test(number)) notFound();
  try {
    const chain = await getChain(scope, { project: projectSlug, number: Number(number) });
    return { scope, chain, root: `/${orgSlug}/projects/${projectSlug}` };
  } catch (error) {
    if (error instanceof NotFoundError) notFound();
    throw error;
  }
});
