import { z } from 'zod';
import { changeRole, removeMember } from '@/lib/identity/members/change-membership';
import { getMember, listMembers } from '@/lib/identity/members/list-members';
import { changeRoleSchema, memberDtoSchema } from '@/lib/identity/members/schema';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';
import { operation } from './operation';

export const get = operation({
  method: 'GET',
  path: '/api/v1/members/{memberId}',
  summary: 'Get a member',
  act: 'member.read',
  scopes: ['members:read'],
  response: memberDtoSchema,
  run: ({ scope, params }) => getMember(scope, params.memberId),
});

export const update = operation({
  method: 'PATCH',
  path: '/api/v1/members/{memberId}',
  summary: 'Change a member’s role; an organization always keeps one owner',
  act: 'member.manage',
  scopes: ['members:write'],
  body: changeRoleSchema,
  example: { role: 'operator' },
  response: memberDtoSchema,
  refusals: { 409: 'They are the last owner.' },
  run: ({ scope, params, body }) => changeRole(scope, params.memberId, body),
});

export const remove = operation({
  method: 'DELETE',
  path: '/api/v1/members/{memberId}',
  summary: 'Remove a member; they lose access immediately',
  act: 'member.manage',
  scopes: ['members:write'],
  query: z.object({
    /** `false` keeps the API tokens that they made. */
    revokeTokens: z.enum(['true', 'false']).default('true'),
  }),
  refusals: { 409: 'They are the last owner.' },
  run: ({ scope, params, query }) =>
    removeMember(scope, params.memberId, { revokeTokens: query.revokeTokens === 'true' }),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/members',
  summary: 'List members in the order in which they joined',
  act: 'member.read',
  scopes: ['members:read'],
  query: pageQuerySchema,
  response: pageSchema(memberDtoSchema),
  run: ({ scope, query }) => listMembers(scope, query),
});
