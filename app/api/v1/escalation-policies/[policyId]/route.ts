import { policyParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { deletePolicy, getPolicy, updatePolicy } from '@/lib/deliveries/escalation/manage-policies';
import { policyDtoSchema, policyInputSchema } from '@/lib/deliveries/escalation/schema';

const shared = {
  path: '/api/v1/escalation-policies/{policyId}',
  auth: 'apiKey',
  params: policyParams,
} as const;

export const GET = route({
  ...shared,
  method: 'GET',
  summary: 'Get an escalation policy',
  scopes: ['escalation-policies:read'],
  response: policyDtoSchema,
  handle: ({ scope, params }) => getPolicy(scope, params.policyId),
});

export const PUT = route({
  ...shared,
  method: 'PUT',
  summary: 'Replace an escalation policy; incidents that are escalating keep their steps',
  scopes: ['escalation-policies:write'],
  body: policyInputSchema,
  response: policyDtoSchema,
  handle: ({ scope, params, body }) => updatePolicy(scope, params.policyId, body),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Delete an escalation policy; incidents that are escalating keep their steps',
  scopes: ['escalation-policies:write'],
  status: 204,
  handle: async ({ scope, params }) => {
    await deletePolicy(scope, params.policyId);
    return undefined;
  },
});
