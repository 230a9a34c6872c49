import { unstable_rethrow } from 'next/navigation';
import type { z } from 'zod';
import { currentUser } from '@/lib/identity/auth/current-user';
import type { SignedInUser } from '@/lib/identity/auth/schema';
import { scopeOfMember } from '@/lib/identity/tenancy/make-scope';
import { type Role, requireRole } from '@/lib/platform/db/roles';
import type { TenantScope } from '@/lib/platform/db/scope';
import { NotFoundError, UnauthenticatedError } from '@/lib/platform/errors';
import { parseInput } from '@/lib/platform/http/read-body';
import { inputOfForm, keptValues } from './form-input';
import { type ActionResult, actionErrorOf } from './result';

/** `public` and `user` have to be said; without them the action belongs to an organization. */
type ActionAuth = 'member' | 'user' | 'public';

interface Context<Auth extends ActionAuth, Input> {
  input: Input;
  user: Auth extends 'public' ? SignedInUser | null : SignedInUser;
  scope: Auth extends 'member' ? TenantScope : null;
}

interface Options<Auth extends ActionAuth> {
  auth?: Auth;
  /** The least role; the service checks it as well. */
  role?: Role;
}

type Named<Auth extends ActionAuth> = Auth extends 'member'
  ? { organizationSlug: string }
  : unknown;

/** Called with its input, or by a form through `useActionState`. */
export interface ServerAction<Auth extends ActionAuth, Input, Data> {
  (input: Input & Named<Auth>): Promise<ActionResult<Data>>;
  (previous: ActionResult<Data> | null, form: FormData): Promise<ActionResult<Data>>;
}

/**
 * A server action: who asks, what for, parsed; then the handler; every error as a value. An action
 * of an organization takes `organizationSlug` beside its input (in a form: a hidden field).
 */
export function action<Schema extends z.ZodType, Data, Auth extends ActionAuth = 'member'>(
  schema: Schema,
  handle: (context: Context<Auth, z.output<Schema>>) => Promise<Data>,
  options: Options<Auth> = {},
): ServerAction<Auth, z.input<Schema>, Data> {
  return async (first: unknown, second?: FormData): Promise<ActionResult<Data>> => {
    const form = second instanceof FormData ? second : null;
    try {
      const raw = form ? inputOfForm(form) : first;
      const caller = await callerOf(options, raw);
      const input = parseInput(schema, raw);
      const context = { input, ...caller } as Context<Auth, z.output<Schema>>;
      return { ok: true, data: await handle(context) };
    } catch (error) {
      // redirect() and notFound() are thrown, and are no errors.
      unstable_rethrow(error);
      return { ok: false, error: actionErrorOf(error), values: form ? keptValues(form) : {} };
    }
  };
}

/** An action without input that leads somewhere else, such as signing out. */
export function leavingAction(handle: (user: SignedInUser | null) => Promise<never>) {
  return async (): Promise<void> => handle(await currentUser());
}

async function callerOf(options: Options<ActionAuth>, raw: unknown) {
  const user = await currentUser();
  const auth = options.auth ?? 'member';
  if (auth === 'public') return { user, scope: null };
  if (!user) throw new UnauthenticatedError('You were signed out. Sign in again.');
  if (auth === 'user') return { user, scope: null };
  const slug = slugOf(raw);
  if (!slug) throw new NotFoundError();
  const scope = await scopeOfMember(user, slug);
  if (options.role) requireRole(scope, options.role);
  return { user, scope };
}

function slugOf(raw: unknown): string | null {
  if (typeof raw !== 'object' || raw === null || !('organizationSlug' in raw)) return null;
  return typeof raw.organizationSlug === 'string' ? raw.organizationSlug : null;
}
