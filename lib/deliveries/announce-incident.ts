/** Writes the messages about an incident, in the transaction in which it changes. */

import {
  type AffectedService,
  type Incident,
  type IncidentNotice,
  unprovenChecksSchema,
} from '@/lib/incidents/incident';
import { getIncidentRow, type IncidentRow } from '@/lib/incidents/incident-rows';
import {
  type Clock,
  failureSentence,
  firstError,
  resolutionSentence,
  subjectOf,
  verifyingSentence,
} from '@/lib/incidents/sentences';
import { incidentSignalsSchema } from '@/lib/incidents/signals-of-incident';
import {
  incidentResolutionSchema,
  incidentSeveritySchema,
  incidentSourceSchema,
  incidentStateSchema,
} from '@/lib/incidents/states';
import type { TenantScope } from '@/lib/platform/db/scope';
import type { TenantDb } from '@/lib/platform/db/tenant-db';
import { env } from '@/lib/platform/env';
import { formatMoment } from '@/lib/platform/format/time';
import { encodeId } from '@/lib/platform/ids';
import { serviceStatusSchema } from '@/lib/protocol/spec';
import { type AlertSubject, DEDUP_PREFIX } from './alert';
import { announce } from './announce';
import { loadSubject } from './data';
import type { Happening, WebhookEvent } from './schema';

/** Announces a change of an incident. Its id is a UUID. */
export async function announceIncident(
  db: TenantDb,
  scope: TenantScope,
  {
    incidentId,
    notice,
    sequence,
    isNeedAnnounced = false,
    isNeedKnown = false,
    isSilent,
  }: {
    incidentId: string;
    notice: IncidentNotice;
    sequence: number;
    isNeedAnnounced?: boolean;
    isNeedKnown?: boolean;
    isSilent: boolean;
  },
  now: Date,
): Promise<string[]> {
  const incident = await getIncidentRow(db, incidentId);
  const about = await incidentEvent(db, incident, notice, now);
  const occasion = `incident.${notice}:${incidentId}:${sequence}`;
  // That a human is needed says the rest, too; an opening by checks is news of its own.
  const isSaid = notice !== 'opened' || incident.source === 'finding';
  const sentAlready =
    isNeedAnnounced && isSaid && notice !== 'needs_human' ? 'incident.needs_human' : null;
  const happenings = [{ ...about, occasion }];
  // Whoever was notified of the verification in between believes something else since.
  const onlyIfReceived = isNeedKnown && notice === 'needs_human' ? 'incident.verifying' : null;
  return announce(db, scope.organizationId, happenings, now, {
    ...{ sentAlready, onlyIfReceived, isForPeople: !isSilent },
  });
}

/** Returns the event that reports a notice of an incident as it is now, and what it is about. */
export async function incidentEvent(
  db: TenantDb,
  incident: IncidentRow,
  notice: IncidentNotice,
  now: Date,
): Promise<Omit<Happening, 'occasion'>> {
  const { projectId, number } = incident;
  const { organization, project } = await loadSubject(db, projectId, null);
  const chain = incident.chains[0]?.chain ?? null;
  const clock: Clock = (at) => `${formatMoment(at, now, 'UTC')} UTC`;
  const services = incident.services.map(asService);
  const alerts = incidentSignalsSchema.nullable().parse(incident.alerts);
  const unproven = unprovenChecksSchema.nullable().parse(incident.unproven);
  const event: IncidentWebhookEvent = {
    type: `incident.${notice}`,
    timestamp: now.toISOString(),
    data: {
      organization,
      project,
      summary: summaryOf({ ...incident, alerts, unproven }, services, notice, clock),
      link: `${env().publicUrl}/${organization.slug}/projects/${project.slug}/incidents/${number}`,
      incident: {
        id: encodeId('inc', incident.id),
        number,
        sequence: incident.sequence,
        state: incidentStateSchema.parse(incident.state),
        severity: incidentSeveritySchema.parse(incident.severity),
        source: incidentSourceSchema.parse(incident.source),
        startedAt: incident.startedAt.toISOString(),
        openedAt: incident.openedAt.toISOString(),
        resolvedAt: incident.resolvedAt?.toISOString() ?? null,
        resolution: incidentResolutionSchema.nullable().parse(incident.resolution),
        mergedInto: incident.mergedInto && {
          id: encodeId('inc', incident.mergedInto.id),
          number: incident.mergedInto.number,
        },
        acknowledgedBy: incident.acknowledgedBy,
        silencedBy: incident.silencedBy,
        silencedUntil: incident.silencedUntil?.toISOString() ?? null,
        needsHuman: incident.needsHumanSince !== null,
        reopenings: incident.reopenings,
      },
      services: services.map(({ name, status, failingSince, recoveredAt, error }) => ({
        ...{ name, status, error },
        failingSince: failingSince.toISOString(),
        recoveredAt: recoveredAt?.toISOString() ?? null,
      })),
      alerts: alerts && {
        title: alerts.title,
        services: alerts.services.map(({ name }) => name),
        sources: alerts.sources,
      },
      chain: chain && { id: encodeId('chn', chain.id), number: chain.number },
    },
  };
  const alert = alertOfIncident(event);
  return {
    event: alert ? { ...event, alert } : event,
    projectId,
    chainId: chain?.id ?? null,
  };
}

type IncidentWebhookEvent = Extract<WebhookEvent, { type: `incident.${string}` }>;

const ALERT_STATUS = {
  opened: 'firing',
  needs_human: 'firing',
  reopened: 'firing',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  // The alert of the other incident stays.
  merged: 'resolved',
  // It may still fail again: an on-call service would open a second alert for the same outage.
  verifying: null,
  verification_failed: null,
} as const satisfies Record<IncidentNotice, AlertSubject['status'] | null>;

/** Returns the state of the alert that on-call services keep for an incident; null if it stays as it is. */
function alertOfIncident({ type, data }: IncidentWebhookEvent): AlertSubject | null {
  const notice = type.slice('incident.'.length) as IncidentNotice;
  const status = ALERT_STATUS[notice];
  if (status === null) return null;
  const { project, incident, services, alerts, summary, link } = data;
  const names = [...new Set([...services.map(({ name }) => name), ...(alerts?.services ?? [])])];
  return {
    dedupKey: `${DEDUP_PREFIX}${incident.id}`,
    sequence: incident.sequence,
    status,
    severity: incident.severity,
    title: `${project.name}: ${subjectOf(names, alerts?.title)}, Incident #${incident.number}`,
    description: summary,
    project: { name: project.name, slug: project.slug },
    services: names,
    startedAt: incident.startedAt,
    resolvedAt: incident.resolvedAt,
    url: link,
    needsHuman: incident.needsHuman,
  };
}

/** Returns an affected service as the rules of incidents see it. */
export function asService(row: IncidentRow['services'][number]): AffectedService {
  return {
    ...row,
    status: serviceStatusSchema.parse(row.status),
    worst: row.worst === 'down' ? 'down' : 'degraded',
  };
}

function summaryOf(
  incident: Omit<IncidentRow, 'alerts' | 'unproven'> & Pick<Incident, 'alerts' | 'unproven'>,
  services: readonly AffectedService[],
  notice: IncidentNotice,
  clock: Clock,
): string {
  const failing = failureSentence({ ...incident, services }, clock);
  switch (notice) {
    case 'opened':
    case 'reopened': {
      const error = firstError(services);
      return error ? `${failing} ${error}` : failing;
    }
    case 'needs_human': {
      const last = incident.chains[0]?.chain;
      const why =
        last?.outcome && !incident.unproven ? ` Chain #${last.number}: ${last.statusText}` : '';
      return `${failing} It needs a human.${why}`;
    }
    case 'acknowledged':
      return `${incident.acknowledgedBy ?? 'A person'} acknowledged it. ${failing}`;
    case 'verifying':
      return verifyingSentence({
        ...{ services, alerts: incident.alerts },
        source: incidentSourceSchema.parse(incident.source),
      });
    case 'verification_failed':
      return failing;
    case 'resolved':
    case 'merged': {
      const resolution = incidentResolutionSchema.nullable().parse(incident.resolution);
      return resolutionSentence({ ...incident, services, resolution }, clock);
    }
  }
}
