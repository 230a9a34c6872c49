import { route } from '@/lib/api/route';
import {
  changeOrganizationSchema,
  organizationDtoSchema,
} from '@/lib/identity/organizations/schema';
import { changeOrganization, getOrganization } from '@/lib/identity/organizations/service';

const path = '/api/v1/organization';

export const GET = route({
  method: 'GET',
  path,
  summary: 'Get the organization of the token',
  auth: 'apiKey',
  scopes: ['organization:read'],
  response: organizationDtoSchema,
  handle: ({ scope }) => getOrganization(scope),
});

export const PATCH = route({
  method: 'PATCH',
  path,
  summary: 'Change the organization’s name or slug',
  auth: 'apiKey',
  scopes: ['organization:write'],
  body: changeOrganizationSchema,
  response: organizationDtoSchema,
  handle: ({ scope, body }) => changeOrganization(scope, body),
});
