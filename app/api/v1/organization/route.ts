import { route } from '@/lib/http/route';
import { organizationDtoSchema } from '@/lib/organizations/schema';
import { getOrganization } from '@/lib/organizations/service';

export const GET = route({
  method: 'GET',
  path: '/api/v1/organization',
  summary: 'Get the organization of the token',
  auth: 'apiKey',
  scopes: ['organization:read'],
  response: organizationDtoSchema,
  handle: ({ scope }) => getOrganization(scope),
});
