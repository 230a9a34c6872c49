'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { endBrowserSession, startBrowserSession } from '@/lib/identity/auth/browser-session';
import { safeNext } from '@/lib/identity/auth/safe-next';
import { joinSchema } from '@/lib/identity/auth/schema';
import { acceptInvitation, joinAsNewPerson } from '@/lib/identity/invitations/accept-invitation';
import { readClient } from '@/lib/platform/http/client-address';

const linkSchema = z.object({ token: z.string().max(200) });

/** For someone signed in with the invited address. */
export const join = action(
  linkSchema,
  async ({ user, input }) => {
    const { organizationSlug } = await acceptInvitation(input.token, user);
    redirect(`/${organizationSlug}`);
  },
  { auth: 'user' },
);

/** Makes the account of the invited address; who may is decided by the link. */
export const joinWithNewAccount = action(
  linkSchema.extend(joinSchema.shape),
  async ({ input }) => {
    const client = readClient(await headers());
    const { userId, email, organizationSlug } = await joinAsNewPerson(input.token, input, client);
    await startBrowserSession({ id: userId, email, passwordVersion: null });
    redirect(`/${organizationSlug}`);
  },
  { auth: 'public' },
);

/** Signs this browser out and comes back, to continue as the invited person. */
export const switchAccount = action(
  linkSchema,
  async ({ input }) => {
    await endBrowserSession();
    redirect(safeNext(`/invite/${encodeURIComponent(input.token)}`));
  },
  { auth: 'public' },
);
