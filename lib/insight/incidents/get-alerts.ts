import {
  type AlertSeverity,
  type AlertStatus,
  alertSeveritySchema,
  alertStatusSchema,
} from '@/lib/alerts/schema';
import type { TenantScope } from '@/lib/platform/db/scope';
import { inTransaction } from '@/lib/platform/db/tenant-db';
import { encodeId, requireId } from '@/lib/platform/ids';
import { listAlertsOf } from './data';

/** An alert of another system that belongs to an incident. Its title and source are text of others. */
export interface AlertOfIncident {
  /** `alt_…` */
  id: string;
  title: string;
  /** `id`: `als_…` */
  source: { id: string; name: string };
  severity: AlertSeverity;
  status: AlertStatus;
  /** The project's service, or else what the source calls it; null if it names none. */
  service: string | null;
  startedAt: Date;
  /** Null while it fires; of one that is stale, when it was last reported. */
  endedAt: Date | null;
  /** Messages about it after the first one. */
  repeats: number;
}

export interface AlertsOfIncident {
  /** Those that fire first, then the newest. */
  alerts: AlertOfIncident[];
  /** How many there are, with those that are left out. */
  count: number;
}

/**
 * Returns up to `take` alerts of an incident.
 *
 * @param incidentId `inc_…`; one that isn't the organization's has none
 */
export function getAlertsOfIncident(
  scope: TenantScope,
  incidentId: string,
  take: number,
): Promise<AlertsOfIncident> {
  const id = requireId('inc', incidentId);
  return inTransaction(scope, async (db) => {
    const { alerts, count } = await listAlertsOf(db, id, take);
    return {
      count,
      alerts: alerts.map(({ source, service, serviceText, lastSeenAt, ...alert }) => {
        const status = alertStatusSchema.parse(alert.status);
        return {
          ...alert,
          id: encodeId('alt', alert.id),
          source: { id: encodeId('als', source.id), name: source.name },
          severity: alertSeveritySchema.parse(alert.severity),
          status,
          service: service?.name ?? serviceText,
          endedAt: status === 'stale' ? lastSeenAt : alert.endedAt,
        };
      }),
    };
  });
}
