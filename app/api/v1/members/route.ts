import { route } from '@/lib/api/route';
import { listMembers } from '@/lib/identity/members/list-members';
import { memberDtoSchema } from '@/lib/identity/members/schema';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';

export const GET = route({
  method: 'GET',
  path: '/api/v1/members',
  summary: 'List members in the order in which they joined',
  auth: 'apiKey',
  scopes: ['members:read'],
  query: pageQuerySchema,
  response: pageSchema(memberDtoSchema),
  handle: ({ scope, query }) => listMembers(scope, query),
});
