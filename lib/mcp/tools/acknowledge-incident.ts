import { z } from 'zod';
import { acknowledgeIncident } from '@/lib/incidents/manage-incidents';
import { getIncident } from '@/lib/insight/incidents/list-incidents';
import { incidentInput, incidentOf, optionalProject } from '../inputs';
import { incidentBriefSchema, showIncident } from '../show-incident';
import { defineTool } from '../tool';

export const acknowledgeIncidentTool = defineTool({
  name: 'acknowledge_incident',
  title: 'Acknowledge an incident',
  description:
    'Use it only when the person says that they are working on an outage: nobody else is notified then that it needs a human. Identify the incident as "Incident #3" with the project, by id (inc_…), or by URL.',
  scopes: ['incidents:write'],
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  input: z.strictObject({
    incident: incidentInput,
    project: optionalProject,
    note: z
      .string()
      .max(2_000)
      .default('')
      .meta({ description: 'What the person knows or will do; shown in the timeline.' }),
  }),
  output: incidentBriefSchema,
  run: async (call, { incident, project, note }) => {
    const { id } = await incidentOf(call, incident, project);
    await acknowledgeIncident(call.scope, id, { note });
    return showIncident(await getIncident(call.scope, id), call.links);
  },
});
