import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { findTurnPlace } from '@/lib/conversations/read-conversations';
import { requireMember } from '@/lib/identity/auth/current-user';
import { getSession } from '@/lib/insight/sessions/get-session';
import type { TenantScope } from '@/lib/platform/db/scope';
import { NotFoundError } from '@/lib/platform/errors';

export interface SessionParams {
  orgSlug: string;
  projectSlug: string;
  number: string;
}

const load = cache(async (orgSlug: string, projectSlug: string, number: string) => {
  const { scope } = await requireMember(orgSlug);
  const root = `/${orgSlug}/projects/${projectSlug}`;
  if (!/^\d{1,9}$/.test(number)) notFound();
  try {
    const session = await getSession(scope, { project: projectSlug, number: Number(number) });
    return { scope, session, root };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const turn = await findTurn(scope, projectSlug, Number(number));
    if (turn) redirect(`${root}/ask/${turn.conversationId}#turn-${turn.position}`);
    notFound();
  }
});

/** A session that is a turn of a conversation stands there. */
async function findTurn(scope: TenantScope, project: string, number: number) {
  try {
    return await findTurnPlace(scope, { project, number });
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** The session of the address; header and tab ask for the same rows, read once a request. */
export async function loadSession(params: Promise<SessionParams>) {
  const { orgSlug, projectSlug, number } = await params;
  return load(orgSlug, projectSlug, number);
}
