'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { rememberBrowser } from '@/lib/identity/auth/browser-session';
import {
  requestReset as request,
  resetPassword as reset,
} from '@/lib/identity/auth/password-resets';
import { emailSchema, newPasswordSchema } from '@/lib/identity/auth/schema';
import { readClient } from '@/lib/platform/http/client-address';

/** Answers the same for an address with an account and for one without. */
export const requestReset = action(
  z.object({ email: emailSchema }),
  async ({ input }) => {
    await request(input.email, readClient(await headers()));
    return { email: input.email };
  },
  { auth: 'public' },
);

export const setPassword = action(
  z.object({ token: z.string().max(200), password: newPasswordSchema }),
  async ({ input }) => {
    const client = readClient(await headers());
    const { userId } = await reset(input.token, input.password, client);
    await rememberBrowser(userId);
    redirect('/sign-in?notice=password_set');
  },
  { auth: 'public' },
);
