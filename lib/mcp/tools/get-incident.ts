import { z } from 'zod';
import { incidentInput, incidentOf, optionalProject } from '../inputs';
import { incidentBriefSchema, showIncident } from '../show-incident';
import { defineTool, READS } from '../tool';
import { untrusted, untrustedSchema } from '../untrusted';

const MAX_ENTRIES = 60;

export const getIncidentTool = defineTool({
  name: 'get_incident',
  title: 'Get an incident',
  description:
    'Use it to understand one outage: its services, its timeline, the chains that worked on it and what they cost. For a chain’s details call get_chain. Identify the incident as "Incident #3" with the project, by id (inc_…), or by URL.',
  scopes: ['incidents:read'],
  annotations: READS,
  input: z.strictObject({ incident: incidentInput, project: optionalProject }),
  output: incidentBriefSchema.extend({
    timeline: z.array(
      z.object({ at: z.string(), kind: z.string(), text: untrustedSchema.optional() }),
    ),
    earlier_entries: z.number().int().meta({ description: 'Entries before these, left out.' }),
  }),
  run: async (call, { incident: input, project }) => {
    const incident = await incidentOf(call, input, project);
    const shown = incident.timeline.slice(-MAX_ENTRIES);
    return {
      ...showIncident(incident, call.links),
      timeline: shown.map(({ at, kind, text }) => ({
        at,
        kind,
        text: untrusted(`timeline of Incident #${incident.number}`, text, 400),
      })),
      earlier_entries: incident.earlierEvents + incident.timeline.length - shown.length,
    };
  },
});
