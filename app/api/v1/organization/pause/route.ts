import { pauseBodySchema } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';
import { organizationDtoSchema } from '@/lib/identity/organizations/schema';
import {
  getOrganization,
  pauseOrganization,
  resumeOrganization,
} from '@/lib/identity/organizations/service';

const shared = {
  path: '/api/v1/organization/pause',
  auth: 'apiKey',
  scopes: ['organization:write'],
  response: organizationDtoSchema,
  status: 200,
} as const;

export const POST = route({
  ...shared,
  method: 'POST',
  summary: 'Pause every project: nothing new starts',
  body: pauseBodySchema,
  handle: ({ scope, body }) => pauseOrganization(scope, body),
  answerAgain: ({ scope }) => getOrganization(scope),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Resume the organization: projects start chains again',
  handle: ({ scope }) => resumeOrganization(scope),
});
