'use server';

import { redirect } from 'next/navigation';
import { z } from 'zod';
import { action } from '@/app/_actions/action';
import {
  finishBrowserSignIn,
  readStepClient,
  readStepCookie,
  startPasskeySignIn as startAlone,
} from '@/lib/identity/auth/browser-session';
import { safeNext } from '@/lib/identity/auth/safe-next';
import {
  beginPasskeyStep,
  finishWithCode,
  finishWithPasskey,
} from '@/lib/identity/auth/second-step';
import { codeSchema, passkeyAnswerSchema } from '@/lib/identity/factors/schema';

const withNext = z.object({ next: z.string().max(2_000).default('') });

/** Signs in with a code of the app or a recovery code, after the password or a provider. */
export const finishSignIn = action(
  codeSchema.extend(withNext.shape),
  async ({ input }) => {
    const client = await readStepClient();
    await finishBrowserSignIn(await finishWithCode(await readStepCookie(), input.code, client));
    redirect(safeNext(input.next));
  },
  { auth: 'public' },
);

/** Returns what the browser asks a passkey for, as the second step. */
export const startPasskeyStep = action(
  z.object({}),
  async () => beginPasskeyStep(await readStepCookie()),
  { auth: 'public' },
);

/** The same for a sign-in with a passkey alone. */
export const startPasskeySignIn = action(z.object({}), () => startAlone(), { auth: 'public' });

/** Signs in with a passkey, as the second step or alone. */
export const finishPasskey = action(
  passkeyAnswerSchema.extend(withNext.shape),
  async ({ input }) => {
    const client = await readStepClient();
    const signedIn = await finishWithPasskey(await readStepCookie(), input.answer, client);
    await finishBrowserSignIn(signedIn);
    redirect(safeNext(input.next));
  },
  { auth: 'public' },
);
