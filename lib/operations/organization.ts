import {
  changeOrganizationSchema,
  organizationDtoSchema,
} from '@/lib/identity/organizations/schema';
import {
  changeOrganization,
  getOrganization,
  pauseOrganization,
  resumeOrganization,
} from '@/lib/identity/organizations/service';
import { pauseBodySchema } from './bodies';
import { operation } from './operation';

export const pause = operation({
  method: 'POST',
  path: '/api/v1/organization/pause',
  summary: 'Pause every project: nothing new starts',
  act: 'organization.pause',
  scopes: ['organization:write'],
  status: 200,
  body: pauseBodySchema,
  example: { reason: 'Change freeze' },
  response: organizationDtoSchema,
  run: ({ scope, body }) => pauseOrganization(scope, body),
  answerAgain: ({ scope }) => getOrganization(scope),
});

export const resume = operation({
  method: 'DELETE',
  path: '/api/v1/organization/pause',
  summary: 'Resume the organization: projects start chains again',
  act: 'organization.pause',
  scopes: ['organization:write'],
  response: organizationDtoSchema,
  run: ({ scope }) => resumeOrganization(scope),
});

export const get = operation({
  method: 'GET',
  path: '/api/v1/organization',
  summary: 'Get the organization of the token',
  act: 'organization.read',
  scopes: ['organization:read'],
  response: organizationDtoSchema,
  run: ({ scope }) => getOrganization(scope),
});

export const update = operation({
  method: 'PATCH',
  path: '/api/v1/organization',
  summary: 'Change the organization’s name or slug',
  act: 'organization.change',
  scopes: ['organization:write'],
  body: changeOrganizationSchema,
  example: { name: 'Acme' },
  response: organizationDtoSchema,
  run: ({ scope, body }) => changeOrganization(scope, body),
});
