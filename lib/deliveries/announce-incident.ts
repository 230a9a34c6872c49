/** Writes the messages about an incident, in the transaction in which it changes. */

import type { incidentChanged } from '@/lib/incidents/domain-events';
import { getShownIncident, type ShownIncident } from '@/lib/incidents/incident-rows';
import { NOTICES } from '@/lib/incidents/notices';
import { subjectOf } from '@/lib/incidents/sentences';
import type { IncidentNotice } from '@/lib/incidents/states';
import { toIncidentWebhook } from '@/lib/incidents/view';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import type { PayloadOf } from '@/lib/platform/domain-events';
import { env } from '@/lib/platform/env';
import { formatMoment } from '@/lib/platform/format/time';
import { encodeId } from '@/lib/platform/ids';
import { type AlertSubject, DEDUP_PREFIX } from './alert';
import { announce } from './announce';
import { loadOrganization } from './data';
import type { Happening, IncidentWebhookEvent } from './schema';

/** Announces a change of an incident. Its id is a UUID. */
export async function announceIncident(
  db: TenantDb,
  change: PayloadOf<typeof incidentChanged>,
  now: Date,
): Promise<string[]> {
  const { incidentId, notice, sequence, isNeedAnnounced, isNeedKnown, isSilent } = change;
  const incident = await getShownIncident(db, incidentId);
  const about = await incidentEvent(db, incident, notice, now);
  const occasion = `incident.${notice}:${incidentId}:${sequence}`;
  // That a human is needed says the rest, too; an opening by checks is news of its own.
  const isSaid = notice !== 'opened' || incident.source === 'finding';
  const sentAlready =
    isNeedAnnounced && isSaid && notice !== 'needs_human' ? 'incident.needs_human' : null;
  const happenings = [{ ...about, occasion }];
  // Whoever was notified of the verification in between believes something else since.
  const onlyIfReceived = isNeedKnown && notice === 'needs_human' ? 'incident.verifying' : null;
  return announce(db, happenings, now, {
    ...{ sentAlready, onlyIfReceived, isForPeople: !isSilent },
  });
}

/** Returns the event that reports a notice of an incident as it is now, and what it is about. */
export async function incidentEvent(
  db: TenantDb,
  incident: ShownIncident,
  notice: IncidentNotice,
  now: Date,
): Promise<Omit<Happening, 'occasion'>> {
  const { projectId, project } = incident;
  const organization = await loadOrganization(db);
  const chain = incident.chains.at(-1);
  const event: IncidentWebhookEvent = {
    type: `incident.${notice}`,
    timestamp: now.toISOString(),
    data: {
      organization,
      project: { ...project, id: encodeId('prj', project.id) },
      summary: NOTICES[notice].summary(incident, (at) => `${formatMoment(at, now, 'UTC')} UTC`),
      link: `${env().publicUrl}/${organization.slug}/projects/${project.slug}/incidents/${incident.number}`,
      ...toIncidentWebhook(incident),
      chain: chain ? { id: encodeId('chn', chain.id), number: chain.number } : null,
    },
  };
  const alert = alertOfIncident(event, NOTICES[notice].alertStatus);
  return {
    event: alert ? { ...event, alert } : event,
    projectId,
    chainId: chain?.id ?? null,
  };
}

function alertOfIncident(
  { data }: IncidentWebhookEvent,
  status: AlertSubject['status'] | null,
): AlertSubject | null {
  if (status === null) return null;
  const { project, incident, summary, link } = data;
  const subject = subjectOf(data);
  return {
    dedupKey: `${DEDUP_PREFIX}${incident.id}`,
    sequence: incident.sequence,
    status,
    severity: incident.severity,
    title: `${project.name}: ${subject.words}, Incident #${incident.number}`,
    description: summary,
    project: { name: project.name, slug: project.slug },
    services: subject.names,
    startedAt: incident.startedAt,
    resolvedAt: incident.resolvedAt,
    url: link,
    needsHuman: incident.needsHuman,
  };
}
