import { z } from 'zod';
import { route } from '@/lib/api/route';
import { createPolicy, getPolicy, listPolicies } from '@/lib/paging/manage-policies';
import { policyDtoSchema, policyInputSchema } from '@/lib/paging/schema';

const path = '/api/v1/paging-policies';

export const GET = route({
  method: 'GET',
  path,
  summary: 'List paging policies by name',
  auth: 'apiKey',
  scopes: ['paging-policies:read'],
  response: z.object({
    data: z.array(policyDtoSchema),
    /** An organization has at most 50 policies, so there is one page. */
    nextCursor: z.null(),
  }),
  handle: async ({ scope }) => ({ data: await listPolicies(scope), nextCursor: null }),
});

export const POST = route({
  method: 'POST',
  path,
  summary: 'Create a paging policy, which applies to incidents that are announced afterwards',
  auth: 'apiKey',
  scopes: ['paging-policies:write'],
  body: policyInputSchema,
  response: policyDtoSchema,
  handle: ({ scope, body }) => createPolicy(scope, body),
  answerAgain: ({ scope }, target) => getPolicy(scope, target),
});
