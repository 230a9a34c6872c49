import { z } from 'zod';
import {
  createPolicy,
  deletePolicy,
  getPolicy,
  listPolicies,
  updatePolicy,
} from '@/lib/deliveries/escalation/manage-policies';
import { policyDtoSchema, policyInputSchema } from '@/lib/deliveries/escalation/schema';
import { operation } from './operation';

export const get = operation({
  method: 'GET',
  path: '/api/v1/escalation-policies/{policyId}',
  summary: 'Get an escalation policy',
  act: 'organization.read',
  scopes: ['escalation-policies:read'],
  response: policyDtoSchema,
  run: ({ scope, params }) => getPolicy(scope, params.policyId),
});

export const replace = operation({
  method: 'PUT',
  path: '/api/v1/escalation-policies/{policyId}',
  summary: 'Replace an escalation policy; incidents that are escalating keep their steps',
  act: 'channel.manage',
  scopes: ['escalation-policies:write'],
  body: policyInputSchema,
  example: {
    name: 'Nights',
    steps: [{ afterMinutes: 15, channelIds: ['ntc_0001hmT3cXGIeGQrlBFXUl'] }],
    projectIds: ['checkout'],
  },
  response: policyDtoSchema,
  refusals: { 409: 'A project uses another policy.' },
  run: ({ scope, params, body }) => updatePolicy(scope, params.policyId, body),
});

export const remove = operation({
  method: 'DELETE',
  path: '/api/v1/escalation-policies/{policyId}',
  summary: 'Delete an escalation policy; incidents that are escalating keep their steps',
  act: 'channel.manage',
  scopes: ['escalation-policies:write'],
  status: 204,
  run: ({ scope, params }) => deletePolicy(scope, params.policyId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/escalation-policies',
  summary: 'List escalation policies by name',
  act: 'organization.read',
  scopes: ['escalation-policies:read'],
  response: z.object({
    data: z.array(policyDtoSchema),
    /** An organization has at most 50 policies, so there is one page. */
    nextCursor: z.null(),
  }),
  run: async ({ scope }) => ({ data: await listPolicies(scope), nextCursor: null }),
});

export const create = operation({
  method: 'POST',
  path: '/api/v1/escalation-policies',
  summary: 'Create an escalation policy, which applies to incidents that are announced afterwards',
  act: 'channel.manage',
  scopes: ['escalation-policies:write'],
  body: policyInputSchema,
  example: {
    name: 'Nights',
    steps: [
      {
        afterMinutes: 10,
        scheduleId: 'ocs_0001hmT3cXGIeGQrlBFXUl',
        channelIds: ['ntc_0001hmT3cXGIeGQrlBFXUl'],
      },
      { afterMinutes: 30, channelIds: ['ntc_0001hmT3cXGIeGQrlBFXUl'] },
    ],
    repeatTimes: 3,
    repeatMinutes: 30,
    projectIds: ['checkout'],
  },
  response: policyDtoSchema,
  refusals: {
    409: 'The organization has reached its limit of policies, or a project uses another policy.',
  },
  run: ({ scope, body }) => createPolicy(scope, body),
  answerAgain: ({ scope }, target) => getPolicy(scope, target),
});
