import { deleteAlertSource, getAlertSource, updateAlertSource } from '@/lib/alerts/manage-sources';
import { alertSourceDtoSchema, updateAlertSourceSchema } from '@/lib/alerts/source-schema';
import { alertSourceParams } from '@/lib/api/bodies';
import { route } from '@/lib/api/route';

const shared = {
  path: '/api/v1/alert-sources/{sourceId}',
  auth: 'apiKey',
  params: alertSourceParams,
} as const;

export const GET = route({
  ...shared,
  method: 'GET',
  summary: 'Get an alert source',
  scopes: ['alert-sources:read'],
  response: alertSourceDtoSchema,
  handle: ({ scope, params }) => getAlertSource(scope, params.sourceId),
});

export const PATCH = route({
  ...shared,
  method: 'PATCH',
  summary: 'Change, disable or enable an alert source',
  scopes: ['alert-sources:write'],
  body: updateAlertSourceSchema,
  response: alertSourceDtoSchema,
  handle: ({ scope, params, body }) => updateAlertSource(scope, params.sourceId, body),
});

export const DELETE = route({
  ...shared,
  method: 'DELETE',
  summary: 'Delete an alert source with its alerts and deliveries',
  scopes: ['alert-sources:write'],
  status: 204,
  handle: async ({ scope, params }) => {
    await deleteAlertSource(scope, params.sourceId);
    return undefined;
  },
});
