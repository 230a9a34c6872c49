import { z } from 'zod';
import { route } from '@/lib/api/route';
import { createPolicy, getPolicy, listPolicies } from '@/lib/deliveries/escalation/manage-policies';
import { policyDtoSchema, policyInputSchema } from '@/lib/deliveries/escalation/schema';

const path = '/api/v1/escalation-policies';

export const GET = route({
  method: 'GET',
  path,
  summary: 'List escalation policies by name',
  auth: 'apiKey',
  scopes: ['escalation-policies:read'],
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
  summary: 'Create an escalation policy, which applies to incidents that are announced afterwards',
  auth: 'apiKey',
  scopes: ['escalation-policies:write'],
  body: policyInputSchema,
  response: policyDtoSchema,
  handle: ({ scope, body }) => createPolicy(scope, body),
  answerAgain: ({ scope }, target) => getPolicy(scope, target),
});
