import { z } from 'zod';
import { memberParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { changeRole, removeMember } from '@/lib/identity/members/change-membership';
import { getMember } from '@/lib/identity/members/list-members';
import { changeRoleSchema, memberDtoSchema } from '@/lib/identity/members/schema';

const path = '/api/v1/members/{memberId}';

export const GET = route({
  method: 'GET',
  path,
  summary: 'Get a member',
  auth: 'apiKey',
  scopes: ['members:read'],
  params: memberParams,
  response: memberDtoSchema,
  handle: ({ scope, params }) => getMember(scope, params.memberId),
});

export const PATCH = route({
  method: 'PATCH',
  path,
  summary: 'Change a member’s role; an organization always keeps one owner',
  auth: 'apiKey',
  scopes: ['members:write'],
  params: memberParams,
  body: changeRoleSchema,
  response: memberDtoSchema,
  handle: ({ scope, params, body }) => changeRole(scope, params.memberId, body),
});

export const DELETE = route({
  method: 'DELETE',
  path,
  summary: 'Remove a member; they lose access immediately',
  auth: 'apiKey',
  scopes: ['members:write'],
  params: memberParams,
  query: z.object({
    /** `false` keeps the API tokens that they made. */
    revokeTokens: z.enum(['true', 'false']).default('true'),
  }),
  status: 204,
  handle: async ({ scope, params, query }) => {
    await removeMember(scope, params.memberId, { revokeTokens: query.revokeTokens === 'true' });
    return undefined;
  },
});
