import { z } from 'zod';
import { route } from '@/lib/api/route';
import { readAuthSession } from '@/lib/identity/auth/auth-sessions';
import { scopeOfMember } from '@/lib/identity/tenancy/make-scope';
import { getProjectId } from '@/lib/insight/dashboard/get-overview';
import { NotFoundError } from '@/lib/platform/errors';
import { eventStream } from '@/lib/platform/live/event-stream';
import type { Topic } from '@/lib/platform/live/hint';

/**
 * Says that something changed, and nothing about it: the page that receives it loads itself again.
 * Of one project, or of the whole organization.
 */
export const GET = route({
  method: 'GET',
  path: '/api/live',
  summary: 'Follow changes of an organization or of one project',
  auth: 'session',
  query: z.object({ organization: z.string(), project: z.string().optional() }),
  handle: async ({ request, scope, user, query }) => {
    const topic: Topic = query.project
      ? `p:${await getProjectId(scope, query.project)}`
      : `o:${scope.organizationId}`;
    return eventStream({
      topics: [topic],
      signal: request.signal,
      isStillAllowed: async () => {
        if (!(await readAuthSession(user.authSessionId))) return false;
        try {
          await scopeOfMember(user, query.organization);
          return true;
        } catch (error) {
          if (error instanceof NotFoundError) return false;
          throw error;
        }
      },
      onHint: async (send) => send({ event: 'changed', data: { at: new Date().toISOString() } }),
    });
  },
});
