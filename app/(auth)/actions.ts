'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import {
  awaitSecondStep,
  endBrowserSession,
  readDeviceCookie,
  startBrowserSession,
} from '@/lib/identity/auth/browser-session';
import { nextAfterSignUp, safeNext } from '@/lib/identity/auth/safe-next';
import { signInSchema, signUpSchema } from '@/lib/identity/auth/schema';
import { signInWithPassword } from '@/lib/identity/auth/sign-in';
import { signUp as signUpAccount } from '@/lib/identity/auth/sign-up';
import { readClient } from '@/lib/platform/http/client-address';
import { action, leavingAction } from '../_actions/action';

const withNext = z.object({ next: z.string().max(2_000).default('') });

export const signIn = action(
  signInSchema.extend(withNext.shape),
  async ({ input }) => {
    const deviceCookie = await readDeviceCookie();
    const user = await signInWithPassword(input, { ...readClient(await headers()), deviceCookie });
    const next = safeNext(input.next);
    if (await awaitSecondStep(user, 'password')) {
      redirect(
        next === '/'
          ? '/sign-in/second-step'
          : `/sign-in/second-step?next=${encodeURIComponent(next)}`,
      );
    }
    await startBrowserSession(user);
    redirect(next);
  },
  { auth: 'public' },
);

export const signUp = action(
  signUpSchema.extend(withNext.shape),
  async ({ input }) => {
    const made = await signUpAccount(input, readClient(await headers()));
    await startBrowserSession({ id: made.userId, email: made.email, passwordVersion: null });
    redirect(nextAfterSignUp(input.next, made.organizationSlug));
  },
  { auth: 'public' },
);

export const signOut = leavingAction(async () => {
  await endBrowserSession();
  redirect('/sign-in');
});
