'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import { createApiTokenSchema } from '@/lib/identity/api-tokens/schema';
import {
  createApiToken as create,
  revokeApiToken as revoke,
} from '@/lib/identity/api-tokens/service';
import { env } from '@/lib/platform/env';

/** The token is in the answer and nowhere else. */
export const createApiToken = action(createApiTokenSchema, async ({ scope, input }) => {
  const { token } = await create(scope, input);
  return { token, url: env().publicUrl };
});

export const revokeApiToken = action(
  z.object({ tokenId: z.string() }),
  async ({ scope, input }) => {
    await revoke(scope, input.tokenId);
  },
);
