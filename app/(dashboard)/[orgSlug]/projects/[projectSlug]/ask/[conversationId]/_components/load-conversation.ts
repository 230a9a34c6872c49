import { notFound } from 'next/navigation';
import { cache } from 'react';
import { getConversation, listTurns } from '@/lib/conversations/read-conversations';
import { requireMember } from '@/lib/identity/auth/current-user';
import { NotFoundError } from '@/lib/platform/errors';

export interface ConversationParams {
  orgSlug: string;
  projectSlug: string;
  conversationId: string;
}

const load = cache(async (orgSlug: string, projectSlug: string, id: string) => {
  const { scope } = await requireMember(orgSlug);
  try {
    const [conversation, turns] = await Promise.all([
      getConversation(scope, id),
      listTurns(scope, id, { withCut: true }),
    ]);
    if (conversation.project.slug !== projectSlug) notFound();
    return { scope, conversation, turns, root: `/${orgSlug}/projects/${projectSlug}` };
  } catch (error) {
    if (error instanceof NotFoundError) notFound();
    throw error;
  }
});

/** The conversation of the address with all its turns; leads to the 404 page when it is not there. */
export async function loadConversation(params: Promise<ConversationParams>) {
  const { orgSlug, projectSlug, conversationId } = await params;
  return load(orgSlug, projectSlug, decodeURIComponent(conversationId));
}
