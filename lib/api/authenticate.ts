import { z } from 'zod';
import { holdKey, type RunnerProcess } from '@/lib/fleet/key-holder';
import { touchApiToken } from '@/lib/identity/api-tokens/service';
import { currentUser } from '@/lib/identity/auth/current-user';
import type { SignedInUser } from '@/lib/identity/auth/schema';
import {
  identifyRunner,
  listMembershipsOfUser,
  scopeOfApiToken,
  scopeOfMember,
} from '@/lib/identity/tenancy/make-scope';
import { readTokenPrefix } from '@/lib/platform/crypto/tokens';
import type { TenantScope } from '@/lib/platform/db/scope';
import { env } from '@/lib/platform/env';
import { ForbiddenError, InvalidError, UnauthenticatedError } from '@/lib/platform/errors';
import { isSameOrigin } from '@/lib/platform/http/request-headers';
import { INSTANCE_HEADER, PROCESS_HEADER } from '@/lib/protocol/schema';
import type { RouteAuth } from './route-description';

export interface Caller {
  /** Null on public routes, and where a person is asked for. */
  scope: TenantScope | null;
  /** The person behind a session cookie. */
  user: SignedInUser | null;
}

/** The token of `Authorization: Bearer …`, or null. */
function bearerToken(request: Request): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;
}

/**
 * Returns who sent the request. Throws UnauthenticatedError, or NotFoundError for an organization
 * of others.
 */
export async function authenticate(
  auth: RouteAuth,
  request: Request,
  params: Record<string, unknown>,
): Promise<Caller> {
  switch (auth) {
    case 'public':
      return { scope: null, user: null };
    case 'runner': {
      const { scope, holder } = await identifyRunner(requireToken(request, 'rnk'));
      await holdKey(scope, runnerProcessOf(request), holder);
      return { scope, user: null };
    }
    case 'person':
      return { scope: null, user: await signedInUser(request) };
    case 'session':
      return bySession(request, params);
    case 'apiKey': {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (isRead && !request.headers.has('authorization')) return bySession(request, params);
      const scope = await scopeOfApiToken(requireToken(request, 'twk'));
      await touchApiToken(scope);
      return { scope, user: null };
    }
  }
}

const processSchema = z.object({ processId: z.uuid(), instanceId: z.uuid() });

/** Null for runners that don't name their process. */
function runnerProcessOf({ headers }: Request): RunnerProcess | null {
  const named = {
    processId: headers.get(PROCESS_HEADER) ?? undefined,
    instanceId: headers.get(INSTANCE_HEADER) ?? undefined,
  };
  return processSchema.safeParse(named).data ?? null;
}

function requireToken(request: Request, prefix: 'twk' | 'rnk'): string {
  const token = bearerToken(request);
  if (!token) throw new UnauthenticatedError('Send a token: Authorization: Bearer …');
  if (readTokenPrefix(token) !== prefix) {
    throw new UnauthenticatedError('The token is unknown, expired or revoked.');
  }
  return token;
}

async function bySession(request: Request, params: Record<string, unknown>): Promise<Caller> {
  const user = await signedInUser(request);
  const slug = params.orgSlug ?? new URL(request.url).searchParams.get('organization');
  return { scope: await scopeOfMember(user, await namedOrOnly(user, slug)), user };
}

/** The person behind the session cookie, which counts only in requests of our own pages. */
async function signedInUser(request: Request): Promise<SignedInUser> {
  const user = await currentUser();
  if (!user) throw new UnauthenticatedError();
  const facts = {
    method: request.method === 'HEAD' ? 'GET' : request.method,
    secFetchSite: request.headers.get('sec-fetch-site'),
    origin: request.headers.get('origin'),
  };
  if (!isSameOrigin(facts, [new URL(env().publicUrl).origin, new URL(request.url).origin])) {
    throw new ForbiddenError(
      'Browser sign-ins are only accepted from Tierwatch’s own pages. Use a token.',
    );
  }
  return user;
}

/** The organization that the request names, or the person's only one. */
async function namedOrOnly(user: SignedInUser, slug: unknown): Promise<string> {
  if (typeof slug === 'string') return slug;
  const [only, ...others] = await listMembershipsOfUser(user.id);
  if (!only || others.length > 0) {
    throw new InvalidError('Add the organization to the URL: ?organization=<slug>', {
      organization: 'is missing',
    });
  }
  return only.slug;
}
