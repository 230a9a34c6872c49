import { pageQuerySchema, pageSchema } from '@/lib/http/cursor';
import { route } from '@/lib/http/route';
import { memberDtoSchema } from '@/lib/members/schema';
import { listMembers } from '@/lib/members/service/list-members';

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
