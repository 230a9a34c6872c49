'use server';

import { headers } from 'next/headers';
import { z } from 'zod';
import { action } from '@/app/_actions/action';
import {
  beginPasskeyConfirmation,
  confirmWithPasskey,
  getConfirmationMethods,
  confirmWithCode as withCode,
  confirmWithPassword as withPassword,
} from '@/lib/identity/auth/confirm-identity';
import { codeSchema, passkeyAnswerSchema } from '@/lib/identity/factors/schema';
import { readClient } from '@/lib/platform/http/client-address';

/** How the person can show again who they are. */
export const getMethods = action(z.object({}), ({ user }) => getConfirmationMethods(user), {
  auth: 'user',
});

export const confirmWithPassword = action(
  z.object({ password: z.string().min(1, 'Enter your password.').max(1_000) }),
  async ({ user, input }) => {
    await withPassword(user, input.password, readClient(await headers()));
  },
  { auth: 'user' },
);

export const confirmWithCode = action(
  codeSchema,
  async ({ user, input }) => {
    await withCode(user, input.code, readClient(await headers()));
  },
  { auth: 'user' },
);

/** Returns what the browser asks a passkey for. */
export const startPasskeyConfirmation = action(
  z.object({}),
  ({ user }) => beginPasskeyConfirmation(user),
  { auth: 'user' },
);

export const finishPasskeyConfirmation = action(
  passkeyAnswerSchema,
  async ({ user, input }) => {
    await confirmWithPasskey(user, input.answer, readClient(await headers()));
  },
  { auth: 'user' },
);
