import { z } from 'zod';
import {
  alertDeliveryDtoSchema,
  alertPreviewSchema,
  previewBodySchema,
} from '@/lib/alerts/delivery-schema';
import { listDeliveries as readDeliveries } from '@/lib/alerts/list-deliveries';
import {
  createAlertSource,
  deleteAlertSource,
  getAlertSource,
  listAlertSources,
  rotateAlertToken,
  updateAlertSource,
} from '@/lib/alerts/manage-sources';
import { previewAlerts } from '@/lib/alerts/preview-alerts';
import {
  alertSourceDtoSchema,
  alertSourceWithTokenSchema,
  createAlertSourceSchema,
  updateAlertSourceSchema,
} from '@/lib/alerts/source-schema';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';
import { emptyBodySchema } from './bodies';
import { operation } from './operation';

export const listDeliveries = operation({
  method: 'GET',
  path: '/api/v1/alert-sources/{sourceId}/deliveries',
  summary: 'List what a source has sent, newest first, with what was rejected and why',
  act: 'organization.read',
  scopes: ['alert-sources:read'],
  query: pageQuerySchema,
  response: pageSchema(alertDeliveryDtoSchema),
  run: ({ scope, params, query }) => readDeliveries(scope, params.sourceId, query),
});

export const preview = operation({
  method: 'POST',
  path: '/api/v1/alert-sources/{sourceId}/preview',
  summary: 'Show what a body would become; stores nothing',
  act: 'organization.read',
  scopes: ['alert-sources:write'],
  status: 200,
  body: previewBodySchema,
  example: {
    body: '{"service": {"output": "HTTP CRITICAL - 503", "state": "CRITICAL"}}',
  },
  response: alertPreviewSchema,
  run: ({ scope, params, body }) => previewAlerts(scope, params.sourceId, body),
});

export const rotateToken = operation({
  method: 'POST',
  path: '/api/v1/alert-sources/{sourceId}/rotate',
  summary:
    'Create a new token; the current one is accepted for another 24 hours, or until the next rotation',
  act: 'alert_source.manage',
  scopes: ['alert-sources:write'],
  status: 200,
  body: emptyBodySchema,
  response: alertSourceWithTokenSchema,
  run: ({ scope, params }) => rotateAlertToken(scope, params.sourceId),
});

export const get = operation({
  method: 'GET',
  path: '/api/v1/alert-sources/{sourceId}',
  summary: 'Get an alert source',
  act: 'organization.read',
  scopes: ['alert-sources:read'],
  response: alertSourceDtoSchema,
  run: ({ scope, params }) => getAlertSource(scope, params.sourceId),
});

export const update = operation({
  method: 'PATCH',
  path: '/api/v1/alert-sources/{sourceId}',
  summary: 'Change, disable or enable an alert source',
  act: 'alert_source.manage',
  scopes: ['alert-sources:write'],
  body: updateAlertSourceSchema,
  example: { staleSeconds: 7_200 },
  response: alertSourceDtoSchema,
  run: ({ scope, params, body }) => updateAlertSource(scope, params.sourceId, body),
});

export const remove = operation({
  method: 'DELETE',
  path: '/api/v1/alert-sources/{sourceId}',
  summary: 'Delete an alert source with its alerts and deliveries',
  act: 'alert_source.manage',
  scopes: ['alert-sources:write'],
  status: 204,
  run: ({ scope, params }) => deleteAlertSource(scope, params.sourceId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/alert-sources',
  summary: 'List alert sources, newest first',
  act: 'organization.read',
  scopes: ['alert-sources:read'],
  query: pageQuerySchema.extend({ project: z.string().optional() }),
  response: pageSchema(alertSourceDtoSchema),
  run: ({ scope, query }) => listAlertSources(scope, query),
});

export const create = operation({
  method: 'POST',
  path: '/api/v1/alert-sources',
  summary: 'Create an alert source; the response shows its token once',
  act: 'alert_source.manage',
  scopes: ['alert-sources:write'],
  body: createAlertSourceSchema,
  example: {
    project: 'checkout',
    kind: 'generic',
    name: 'Nagios',
    mapping: { title: 'service.output', status: 'service.state', firingValues: ['CRITICAL'] },
  },
  response: alertSourceWithTokenSchema,
  refusals: { 409: 'The project has reached its limit of alert sources.' },
  run: ({ scope, body }) => createAlertSource(scope, body),
});
