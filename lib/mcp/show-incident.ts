import { z } from 'zod';
import type { IncidentDto } from '@/lib/incidents/view';
import type { Links } from './links';
import { plainLine, untrusted, untrustedSchema } from './untrusted';

export const incidentBriefSchema = z.object({
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
export function showIncident(incident: IncidentDto, links: Links) {
  const { project, number } = incident;
  return {
    id: incident.id,
    number,
    project: project.slug,
    state: incident.state,
    severity: incident.severity,
    title:
      incident.services.length === 0 && incident.alerts
        ? 'Reported by alerts'
        : plainLine(incident.title),
    needs_human: incident.needsHumanSince !== null,
    started_at: incident.startedAt,
    resolved_at: incident.resolvedAt ?? undefined,
    resolution: incident.resolution ?? undefined,
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
    cost_usd: incident.costUsd,
    url: links.incident(project.slug, number),
  };
}
