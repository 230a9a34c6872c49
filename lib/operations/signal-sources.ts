import { z } from 'zod';
import { pageQuerySchema, pageSchema } from '@/lib/platform/http/cursor';
import { listRequests as readRequests } from '@/lib/signals/list-signals';
import {
  createSignalSource,
  deleteSignalSource,
  getSignalSource,
  listSignalSources,
  rotateSignalToken,
  updateSignalSource,
} from '@/lib/signals/manage-sources';
import { previewSignals } from '@/lib/signals/preview-signals';
import {
  previewBodySchema,
  signalPreviewSchema,
  signalRequestDtoSchema,
} from '@/lib/signals/request-schema';
import {
  createSignalSourceSchema,
  signalSourceDtoSchema,
  signalSourceWithTokenSchema,
  updateSignalSourceSchema,
} from '@/lib/signals/source-schema';
import { emptyBodySchema } from './bodies';
import { operation } from './operation';

export const listRequests = operation({
  method: 'GET',
  path: '/api/v1/signal-sources/{sourceId}/requests',
  summary: 'List what a source has sent, newest first, with what was rejected and why',
  act: 'organization.read',
  scopes: ['alert-sources:read'],
  query: pageQuerySchema,
  response: pageSchema(signalRequestDtoSchema),
  run: ({ scope, params, query }) => readRequests(scope, params.sourceId, query),
});

export const preview = operation({
  method: 'POST',
  path: '/api/v1/signal-sources/{sourceId}/preview',
  summary: 'Show what a body would become; stores nothing',
  act: 'organization.read',
  scopes: ['alert-sources:write'],
  status: 200,
  body: previewBodySchema,
  example: {
    body: '{"service": {"output": "HTTP CRITICAL - 503", "state": "CRITICAL"}}',
  },
  response: signalPreviewSchema,
  run: ({ scope, params, body }) => previewSignals(scope, params.sourceId, body),
});

export const rotateToken = operation({
  method: 'POST',
  path: '/api/v1/signal-sources/{sourceId}/rotate',
  summary:
    'Create a new token; the current one is accepted for another 24 hours, or until the next rotation',
  act: 'alert_source.manage',
  scopes: ['alert-sources:write'],
  status: 200,
  body: emptyBodySchema,
  response: signalSourceWithTokenSchema,
  run: ({ scope, params }) => rotateSignalToken(scope, params.sourceId),
});

export const get = operation({
  method: 'GET',
  path: '/api/v1/signal-sources/{sourceId}',
  summary: 'Get an alert source',
  act: 'organization.read',
  scopes: ['alert-sources:read'],
  response: signalSourceDtoSchema,
  run: ({ scope, params }) => getSignalSource(scope, params.sourceId),
});

export const update = operation({
  method: 'PATCH',
  path: '/api/v1/signal-sources/{sourceId}',
  summary: 'Change, disable or enable an alert source',
  act: 'alert_source.manage',
  scopes: ['alert-sources:write'],
  body: updateSignalSourceSchema,
  example: { staleSeconds: 7_200 },
  response: signalSourceDtoSchema,
  run: ({ scope, params, body }) => updateSignalSource(scope, params.sourceId, body),
});

export const remove = operation({
  method: 'DELETE',
  path: '/api/v1/signal-sources/{sourceId}',
  summary: 'Delete an alert source with its alerts and deliveries',
  act: 'alert_source.manage',
  scopes: ['alert-sources:write'],
  run: ({ scope, params }) => deleteSignalSource(scope, params.sourceId),
});

export const list = operation({
  method: 'GET',
  path: '/api/v1/signal-sources',
  summary: 'List alert sources, newest first',
  act: 'organization.read',
  scopes: ['alert-sources:read'],
  query: pageQuerySchema.extend({ project: z.string().optional() }),
  response: pageSchema(signalSourceDtoSchema),
  run: ({ scope, query }) => listSignalSources(scope, query),
});

export const create = operation({
  method: 'POST',
  path: '/api/v1/signal-sources',
  summary: 'Create an alert source; the response shows its token once',
  act: 'alert_source.manage',
  scopes: ['alert-sources:write'],
  body: createSignalSourceSchema,
  example: {
    project: 'checkout',
    kind: 'generic',
    name: 'Nagios',
    mapping: { title: 'service.output', status: 'service.state', firingValues: ['CRITICAL'] },
  },
  response: signalSourceWithTokenSchema,
  refusals: { 409: 'The project has reached its limit of alert sources.' },
  run: ({ scope, body }) => createSignalSource(scope, body),
});
