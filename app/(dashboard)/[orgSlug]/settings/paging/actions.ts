'use server';

import { z } from 'zod';
import { action } from '@/app/_actions/action';
import {
  createPolicy as insertPolicy,
  deletePolicy as removePolicy,
  updatePolicy as replacePolicy,
} from '@/lib/paging/manage-policies';
import { policyInputSchema } from '@/lib/paging/schema';

const policySchema = z.object({ policyId: z.string() });

export const createPolicy = action(policyInputSchema, async ({ scope, input }) => {
  await insertPolicy(scope, input);
});

export const updatePolicy = action(
  policyInputSchema.extend(policySchema.shape),
  async ({ scope, input: { policyId, ...policy } }) => {
    await replacePolicy(scope, policyId, policy);
  },
);

export const deletePolicy = action(policySchema, async ({ scope, input }) => {
  await removePolicy(scope, input.policyId);
});
