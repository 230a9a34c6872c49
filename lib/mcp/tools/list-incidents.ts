import { z } from 'zod';
import { incidentQuerySchema } from '@/lib/incidents/view';
import { listIncidents } from '@/lib/insight/incidents/list-incidents';
import { projectInput, projectOf } from '../inputs';
import { nextCursorSchema, pageInput, readPage } from '../page';
import { incidentBriefSchema, showIncident } from '../show-incident';
import { defineTool, READS } from '../tool';

export const listIncidentsTool = defineTool({
  name: 'list_incidents',
  title: 'List incidents',
  description:
    'Use it first when something is down: which outages there are, since when, whether a person is needed, and who works on them. Newest first; only those that aren’t resolved unless another state is given.',
  scopes: ['incidents:read'],
  annotations: READS,
  input: pageInput.extend({
    state: incidentQuerySchema.shape.state
      .unwrap()
      .or(z.literal('any'))
      .default('active')
      .meta({ description: 'active: all that aren’t resolved; any: all.' }),
    project: projectInput.optional(),
    service: z.string().max(60).optional().meta({ description: 'Only those of this service.' }),
  }),
  output: z.object({ incidents: z.array(incidentBriefSchema), next_cursor: nextCursorSchema }),
  run: async (call, { state, project, service, ...range }) => {
    const filter = {
      state: state === 'any' ? undefined : state,
      project: projectOf(call, project),
      service,
    };
    const page = await readPage(
      range,
      (part) => listIncidents(call.scope, { ...filter, ...part }),
      (incident) => showIncident(incident, call.links),
    );
    return { incidents: page.rows, next_cursor: page.next_cursor };
  },
});
