import { z } from 'zod';
import {
  createPolicy,
  deletePolicy,
  getPolicy,
  listPolicies,
  updatePolicy,
} from '@/lib/paging/manage-policies';
import { policyDtoSchema, policyInputSchema } from '@/lib/paging/schema';
import { operation } from './operation';

export const get = operation({
  method: 'GET',
  path: '/api/v1/paging-policies/{policyId}',
  summary: 'Get a paging policy',
  act: 'organization.read',
  scopes: ['paging-policies:read'],
  response: policyDtoSchema,
  run: ({ scope, params }) => getPolicy(scope, params.policyId),
});

export const replace = operation({
  method: 'PUT',
  path: '/api/v1/paging-policies/{policyId}',
  summary: 'Replace a paging policy; incidents that people are being paged for keep their steps',
  act: 'channel.manage',
  scopes: ['paging-policies:write'],
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
  path: '/api/v1/paging-policies/{policyId}',
  summary: 'Delete a paging policy; incidents that people are being paged for keep their steps',
  act: 'channel.manage',
  scopes: ['paging-policies:write'],
  run: ({ scope, params }) => deletePolicy(scope, params.policyId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/paging-policies',
  summary: 'List paging policies by name',
  act: 'organization.read',
  scopes: ['paging-policies:read'],
  response: z.object({
    data: z.array(policyDtoSchema),
    /** An organization has at most 50 policies, so there is one page. */
    nextCursor: z.null(),
  }),
  run: async ({ scope }) => ({ data: await listPolicies(scope), nextCursor: null }),
});

export const create = operation({
  method: 'POST',
  path: '/api/v1/paging-policies',
  summary: 'Create a paging policy, which applies to incidents that are announced afterwards',
  act: 'channel.manage',
  scopes: ['paging-policies:write'],
  body: policyInputSchema,
  example: {
    name: 'Nights',
    steps: [
      {
        afterMinutes: 10,
        calendarUrl: 'https://acme.pagerduty.com/private/feed/PABC123',
        channelIds: ['ntc_0001hmT3cXGIeGQrlBFXUl'],
      },
      { afterMinutes: 30, memberIds: ['mem_0001hmT3cXGIeGQrlBFXUl'] },
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
