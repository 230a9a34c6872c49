import { z } from 'zod';
import { route } from '@/lib/api/route';
import { readAuthSession } from '@/lib/identity/auth/auth-sessions';
import type { SignedInUser } from '@/lib/identity/auth/schema';
import {
  isReachable,
  listMembershipsOfUser,
  scopeOfMember,
} from '@/lib/identity/tenancy/make-scope';
import { whichSessionsExist } from '@/lib/insight/sessions/events';
import type { TenantScope } from '@/lib/platform/db/scope';
import { decodeId, encodeId, UUID } from '@/lib/platform/ids';
import { eventStream } from '@/lib/platform/live/event-stream';
import type { Topic } from '@/lib/platform/live/hint';

const MAX_SESSIONS = 100;

/**
 * Streams to a browser what changed in the person's organizations, and which sessions have new
 * events. It sends only ids; the subscriber reads the rows again.
 *
 * `ready` comes first and names the topics that are followed (sessions that the person can't see
 * are left out), `changed` names those that changed.
 */
export const GET = route({
  method: 'GET',
  path: '/api/live',
  summary: 'Follow changes in your organizations, and new events of sessions',
  auth: 'person',
  query: z.object({
    sessions: z
      .string()
      .max(MAX_SESSIONS * 30)
      .default(''),
  }),
  handle: async ({ request, user, query }) => {
    const scopes = await scopesOf(user);
    const sessionIds = query.sessions
      .split(',')
      .flatMap((id) => decodeId('ses', id) ?? [])
      .slice(0, MAX_SESSIONS);
    const seen = await Promise.all(scopes.map((scope) => whichSessionsExist(scope, sessionIds)));
    const topics: Topic[] = [
      ...scopes.map((scope): Topic => `o:${scope.organizationId}`),
      ...seen.flat().map((id): Topic => `s:${id}`),
    ];
    const organizations = scopes.map((scope) => scope.organizationId);
    const access = accessOf(scopes);
    return eventStream({
      topics,
      owner: { subject: user.id, organizations },
      signal: request.signal,
      // The stream ends when a membership begins, changes or ends; the browser opens the next one.
      isStillAllowed: async () => {
        const current = await readAuthSession(user.authSessionId);
        return current !== null && accessOf(await scopesOf(current)) === access;
      },
      onHint: async (send, changed) => {
        const data = [...(changed ?? topics)].flatMap((topic) => publicTopic(topic) ?? []);
        send({ event: changed ? 'changed' : 'ready', data });
      },
    });
  },
});

/** Of the organizations that this sign-in reaches. */
async function scopesOf(user: SignedInUser): Promise<TenantScope[]> {
  const memberships = await listMembershipsOfUser(user.id);
  const reached = memberships.filter((membership) => isReachable(membership, user));
  return Promise.all(reached.map(({ slug }) => scopeOfMember(user, slug)));
}

function accessOf(scopes: readonly TenantScope[]): string {
  return JSON.stringify(scopes.map(({ organizationId, role }) => [organizationId, role]));
}

const PREFIXES = { o: 'org', p: 'prj', s: 'ses' } as const;

/** The id that a page knows; null for topics of no page. */
function publicTopic(topic: Topic): string | null {
  const [kind, id] = topic.split(':') as [keyof typeof PREFIXES, string];
  const prefix = PREFIXES[kind];
  // Anyone with a database login can send a hint.
  return prefix && UUID.test(id) ? encodeId(prefix, id) : null;
}
