import { notFound } from 'next/navigation';
import { cache } from 'react';
import { requireMember } from '@/lib/auth/require-member';
import { NotFoundError } from '@/lib/errors';
import { getSession } from '@/lib/sessions/service/get-session';

export interface SessionParams {
  orgSlug: string;
  projectSlug: string;
  number: string;
}

const load = cache(async (orgSlug: string, projectSlug: string, number: string) => {
  const { scope } = await requireMember(orgSlug);
  if (!/^\d{1,9}$/.test(number)) notFound();
  try {
    const session = await getSession(scope, { project: projectSlug, number: Number(number) });
    return { scope, session, root: `/${orgSlug}/projects/${projectSlug}` };
  } catch (error) {
    if (error instanceof NotFoundError) notFound();
    throw error;
  }
});

/** The session of the address; header and tab ask for the same rows, read once a request. */
export async function loadSession(params: Promise<SessionParams>) {
  const { orgSlug, projectSlug, number } = await params;
  return load(orgSlug, projectSlug, number);
}
