/** Reads webhooks v3 of PagerDuty, one event of an incident each. Pure. */

import { z } from 'zod';
import { type IncomingSignal, type ReadPayload, severityOf, timeOf } from './incoming';

/** Retries last 48 hours; anything older was recorded by someone and sent again. */
const MAX_AGE_MS = 49 * 3_600_000;

/** What Tierwatch puts before the key of incidents that it opens itself. */
const OWN_KEYS = ['tierwatch-', 'tierwatch/'];

const reference = z.object({ summary: z.string().nullish() }).nullish();

const eventSchema = z.object({
  event: z.object({
    id: z.string(),
    event_type: z.string(),
    occurred_at: z.string().nullish(),
    data: z.unknown(),
  }),
});

const incidentSchema = z.object({
  id: z.string().min(1),
  type: z.literal('incident'),
  status: z.enum(['triggered', 'acknowledged', 'resolved']),
  title: z.string().min(1),
  created_at: z.string().nullish(),
  reopened_at: z.string().nullish(),
  html_url: z.string().nullish(),
  incident_key: z.string().nullish(),
  urgency: z.string().nullish(),
  priority: reference,
  service: reference,
});
type Incident = z.infer<typeof incidentSchema>;

/** Returns the sender's id of an event, the same over its retries; null for any other body. */
export function eventIdOf(payload: unknown): string | null {
  return eventSchema.safeParse(payload).data?.event.id ?? null;
}

/**
 * Reads an event. One whose data isn't an incident, such as a note, says nothing about its state.
 *
 * @returns null if it isn't a webhook v3
 */
export function readPagerDuty(payload: unknown, receivedAt: Date): ReadPayload | null {
  const parsed = eventSchema.safeParse(payload);
  if (!parsed.success) return null;
  const { event_type: type, occurred_at: occurredAt, data } = parsed.data.event;
  if (type === 'pagey.ping') return { kind: 'test_received' };
  const at = timeOf(occurredAt);
  if (at && receivedAt.getTime() - at.getTime() > MAX_AGE_MS) return { kind: 'event_too_old' };
  const incident = incidentSchema.safeParse(data).data;
  if (!type.startsWith('incident.') || !incident) return { kind: 'event_ignored' };
  if (OWN_KEYS.some((prefix) => incident.incident_key?.startsWith(prefix))) {
    return { kind: 'own_incident' };
  }
  return { kind: 'alerts', signals: [readIncident(incident, at)], skipped: 0, truncated: 0 };
}

function readIncident(incident: Incident, occurredAt: Date | null): IncomingSignal {
  const { priority, urgency, service, incident_key: key } = incident;
  const isResolved = incident.status === 'resolved';
  return {
    fingerprint: incident.id,
    // The end of a reopened incident may name only its first start, so it ends whatever is open.
    startsAt: incident.reopened_at ?? (isResolved ? null : (incident.created_at ?? null)),
    status: isResolved ? 'resolved' : 'firing',
    kind: 'problem',
    severity: severityOf(priority?.summary ?? urgency),
    title: incident.title,
    serviceTexts: service?.summary ? [service.summary] : [],
    rule: key ?? null,
    link: incident.html_url ?? null,
    labels: {
      ...(urgency ? { urgency } : {}),
      ...(priority?.summary ? { priority: priority.summary } : {}),
      ...(service?.summary ? { service: service.summary } : {}),
      ...(key ? { incident_key: key } : {}),
    },
    annotations: {},
    endsAt: isResolved && occurredAt ? occurredAt.toISOString() : null,
    sentAt: occurredAt?.toISOString() ?? null,
  };
}
