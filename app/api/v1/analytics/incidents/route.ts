import { route } from '@/lib/api/route';
import { getIncidentFiguresDto } from '@/lib/insight/incident-figures/get-incident-figures';
import {
  incidentFiguresDtoSchema,
  incidentFiguresQuerySchema,
} from '@/lib/insight/incident-figures/schema';

export const GET = route({
  method: 'GET',
  path: '/api/v1/analytics/incidents',
  summary: 'Measure incidents: time to detect, acknowledge and fix, proven fixes, recurrence',
  auth: 'apiKey',
  scopes: ['analytics:read'],
  query: incidentFiguresQuerySchema,
  response: incidentFiguresDtoSchema,
  handle: ({ scope, query }) => getIncidentFiguresDto(scope, query),
});
