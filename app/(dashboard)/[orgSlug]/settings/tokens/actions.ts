'use server';

import { action } from '@/app/_actions/action';
import { actionOf } from '@/app/_actions/action-of';
import { createApiTokenSchema } from '@/lib/identity/api-tokens/schema';
import { createApiToken as create } from '@/lib/identity/api-tokens/service';
import * as tokens from '@/lib/operations/tokens';
import { env } from '@/lib/platform/env';

/** The token is in the answer and nowhere else. */
export const createApiToken = action(createApiTokenSchema, async ({ scope, input }) => {
  const { token } = await create(scope, input);
  return { token, url: env().publicUrl };
});

export const revokeApiToken = actionOf(tokens.revoke);
