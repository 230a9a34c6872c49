import { policyParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { deletePolicy, getPolicy, updatePolicy } from '@/lib/paging/manage-policies';
import { policyDtoSchema, policyInputSchema } from '@/lib/paging/schema';

const shared = {
  path: '/api/v1/paging-policies/{policyId}',
  auth: 'apiKey',
  params: policyParams,
} as const;

export const GET = route({
  ...shared,
  method: 'GET',
  summary: 'Get a paging policy',
  scopes: ['paging-policies:read'],
  response: policyDtoSchema,
  handle: ({ scope, params }) => getPolicy(scope, params.policyId),
});

export const PUT = route({
  ...shared,
  method: 'PUT',
  summary: 'Replace a paging policy; incidents that people are being paged for keep their steps',
  scopes: ['paging-policies:write'],
  body: policyInputSchema,
  response: policyDtoSchema,
  handle: ({ scope, params, body }) => updatePolicy(scope, params.policyId, body),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Delete a paging policy; incidents that people are being paged for keep their steps',
  scopes: ['paging-policies:write'],
  status: 204,
  handle: async ({ scope, params }) => {
    await deletePolicy(scope, params.policyId);
    return undefined;
  },
});
