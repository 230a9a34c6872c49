import { getIncidentFiguresDto } from '@/lib/insight/incident-figures/get-incident-figures';
import {
  incidentFiguresDtoSchema,
  incidentFiguresQuerySchema,
} from '@/lib/insight/incident-figures/schema';
import { getUsage as readUsage } from '@/lib/insight/spend/get-spend';
import { usageDtoSchema, usageQuerySchema } from '@/lib/insight/spend/schema';
import { operation } from './operation';

export const getFigures = operation({
  method: 'GET',
  path: '/api/v1/analytics/incidents',
  summary: 'Measure incidents: time to detect, acknowledge and fix, proven fixes, recurrence',
  act: 'organization.read',
  scopes: ['analytics:read'],
  query: incidentFiguresQuerySchema,
  response: incidentFiguresDtoSchema,
  run: ({ scope, query }) => getIncidentFiguresDto(scope, query),
});

export const getUsage = operation({
  method: 'GET',
  path: '/api/v1/usage',
  summary: 'Sum costs by day (UTC), project, tier, model or session',
  act: 'organization.read',
  scopes: ['usage:read'],
  query: usageQuerySchema,
  response: usageDtoSchema,
  run: ({ scope, query }) => readUsage(scope, query),
});
