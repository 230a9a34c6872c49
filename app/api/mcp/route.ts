import { type RouteHandler, route } from '@/lib/api/route';
import { usefulScopes } from '@/lib/mcp/access';
import { TOOLS } from '@/lib/mcp/registry';
import { readMode, serveMcp } from '@/lib/mcp/serve';
import { HttpError, problemResponse } from '@/lib/platform/http/problem';
import { requestIdOf } from '@/lib/platform/http/request-headers';

const path = '/api/mcp';

const post = route({
  method: 'POST',
  path,
  summary: 'Call tools by the Model Context Protocol',
  auth: 'apiKey',
  scopes: usefulScopes(TOOLS),
  handle: ({ scope, request }) => serveMcp(scope, request),
});

/**
 * Refuses pages of other sites first. A client that has sent a token learns from the challenge that
 * the token is the reason.
 */
export const POST: RouteHandler = Object.assign(
  async (...[request, segments]: Parameters<RouteHandler>) => {
    try {
      readMode(request);
    } catch (error) {
      return problemResponse(error, requestIdOf(request.headers));
    }
    const response = await post(request, segments);
    if (response.status === 401 && request.headers.has('authorization')) {
      response.headers.set('www-authenticate', 'Bearer error="invalid_token"');
    }
    return response;
  },
  { description: post.description },
);

/** There are no sessions: nothing to listen to, and nothing to end. */
async function refuse({ requestId }: { requestId: string }): Promise<Response> {
  const message = 'This address has no stream and no session. Send each message with POST.';
  const response = problemResponse(new HttpError(405, message), requestId);
  response.headers.set('allow', 'POST');
  return response;
}

const without = { path, auth: 'public' } as const;

export const GET = route({
  ...without,
  method: 'GET',
  summary: 'Refuse a stream',
  handle: refuse,
});

export const DELETE = route({
  ...without,
  method: 'DELETE',
  summary: 'Refuse to end a session',
  handle: refuse,
});
