import { z } from 'zod';
import { acknowledgeIncident } from '@/lib/incidents/manage-incidents';
import { type IncidentDto, incidentQuerySchema } from '@/lib/incidents/view';
import { getIncident, listIncidents } from '@/lib/insight/incidents/list-incidents';
import { incidentInput, incidentOf, optionalProject, projectInput, projectOf } from '../inputs';
import type { Links } from '../links';
import { nextCursorSchema, pageInput, readPage } from '../page';
import { ACTS, defineTool, fieldsFor, READS } from '../tool';
import { plainLine, untrusted, untrustedSchema } from '../untrusted';

const incidentBriefSchema = z.object({
  id: z.string(),
  number: z.number().int(),
  project: z.string(),
  state: z.string(),
  severity: z.string(),
  title: z.string(),
  needs_human: z.boolean(),
  started_at: z.string(),
  resolved_at: z.string().optional(),
  resolution: z.string().optional(),
  acknowledged_by: z.string().optional(),
  silenced_by: z.string().optional(),
  merged_into: z.number().int().optional(),
  services: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      failing_since: z.string(),
      recovered_at: z.string().optional(),
      error: untrustedSchema.optional(),
    }),
  ),
  alerts: z.object({ title: untrustedSchema.optional(), services: z.array(z.string()) }).optional(),
  chains: z.array(z.object({ number: z.number().int(), outcome: z.string().optional() })),
  cost_usd: z.number(),
  url: z.string(),
});

/** What a check found is text of other systems. */
function showIncident(incident: IncidentDto, links: Links) {
  const { project, number } = incident;
  return {
    ...fieldsFor(incidentBriefSchema, incident),
    project: project.slug,
    title:
      incident.services.length === 0 && incident.alerts
        ? 'Reported by alerts'
        : plainLine(incident.title),
    needs_human: incident.needsHumanSince !== null,
    acknowledged_by:
      incident.acknowledgedBy === null ? undefined : plainLine(incident.acknowledgedBy),
    silenced_by: incident.silencedBy === null ? undefined : plainLine(incident.silencedBy),
    merged_into: incident.mergedInto?.number,
    services: incident.services.map(({ name, status, failingSince, recoveredAt, error }) => ({
      name: plainLine(name),
      status,
      failing_since: failingSince,
      recovered_at: recoveredAt ?? undefined,
      error: untrusted('check of the service', error, 500),
    })),
    alerts: incident.alerts
      ? {
          title: untrusted('alert of another system', incident.alerts.title, 500) ?? undefined,
          services: incident.alerts.services.map((name) => plainLine(name)),
        }
      : undefined,
    chains: incident.chains.map((chain) => ({
      number: chain.number,
      outcome: chain.outcome ?? undefined,
    })),
    url: links.incident(project.slug, number),
  };
}

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

export const acknowledgeIncidentTool = defineTool({
  name: 'acknowledge_incident',
  title: 'Acknowledge an incident',
  description:
    'Use it only when the person says that they are working on an outage: nobody else is notified then that it needs a human. Identify the incident as "Incident #3" with the project, by id (inc_…), or by URL.',
  scopes: ['incidents:write'],
  annotations: ACTS,
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
