'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import {
  signOutEverywhere as endAllSignIns,
  revokeOwnAuthSession,
} from '@/lib/identity/auth/auth-sessions';
import { endBrowserSession, rememberBrowser } from '@/lib/identity/auth/browser-session';
import {
  changeName as renameAccount,
  changePassword as replacePassword,
} from '@/lib/identity/auth/change-account';
import { changeNameSchema, changePasswordSchema } from '@/lib/identity/auth/schema';
import { readClient } from '@/lib/platform/http/client-address';
import { action } from '../_actions/action';

export const changeName = action(
  changeNameSchema,
  async ({ user, input }) => {
    await renameAccount(user, input.name);
  },
  { auth: 'user' },
);

/** Signs out every other browser of the person. */
export const changePassword = action(
  changePasswordSchema,
  async ({ user, input }) => {
    await replacePassword(user, input, readClient(await headers()));
    await rememberBrowser(user.id);
  },
  { auth: 'user' },
);

/** Ends one sign-in of the person who asks, in another browser. */
export const endSignIn = action(
  z.object({ authSessionId: z.string() }),
  async ({ user, input }) => {
    await revokeOwnAuthSession(user, input.authSessionId, readClient(await headers()));
  },
  { auth: 'user' },
);

/** Ends every sign-in, this one too. */
export const signOutEverywhere = action(
  z.object({}),
  async ({ user }) => {
    await endAllSignIns(user, readClient(await headers()));
    await endBrowserSession();
    redirect('/sign-in');
  },
  { auth: 'user' },
);
