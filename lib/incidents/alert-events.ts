/** Events about alerts that fire or end together. Pure. */
import type { NamedAlert } from '@/lib/alerts/alert-rows';
import { ALERT_SEVERITIES } from '@/lib/alerts/schema';
import type { FiringAlerts } from './alerts-of-incident';
import type { IncidentEvent, QuotedAlert } from './incident';

/** How many alerts an event quotes: a flood makes one event with a count. */
const QUOTED = 10;

/** Alertmanager and Grafana report a new alert of a group within 5 minutes, unless they are set otherwise. */
const MOST_LATE_MS = 300_000;

/** `reopenedAt`: it had ended, and fires again since then as the same occurrence; null otherwise. */
export type ChangedAlert = NamedAlert & { reopenedAt: Date | null };

type Firing = Extract<IncidentEvent, { kind: 'alert_firing' }>;
type Ended = Extract<IncidentEvent, { kind: 'alert_ended' }>;

/**
 * Returns the event of alerts that fire.
 *
 * @param alerts at least one
 * @param firing what fires in the incident with them; null: only they do
 */
export function firingEvent(alerts: readonly ChangedAlert[], firing: FiringAlerts | null): Firing {
  const services = new Map(
    alerts.flatMap(({ serviceId, service }) =>
      serviceId && service ? [[serviceId, { serviceId, name: service }] as const] : [],
    ),
  );
  const hasOther = alerts.some(({ serviceId }) => serviceId === null);
  const starts = alerts.map(({ reopenedAt, startedAt }) => (reopenedAt ?? startedAt).getTime());
  return {
    kind: 'alert_firing',
    ...quotedOf(alerts),
    severity: alerts.some(({ severity }) => severity === 'critical') ? 'critical' : 'warning',
    services: [...services.values()],
    sources: [...new Set(alerts.map(({ source }) => source))],
    hasOther,
    startedAt: new Date(Math.min(...starts)).toISOString(),
    newestAt: new Date(Math.max(...alerts.map(latestStart))).toISOString(),
    firing: firing ?? { serviceIds: [...services.keys()].toSorted(), hasOther },
  };
}

/** When an alert began, in milliseconds. One that was first received much later is of a clock that is behind. */
function latestStart({ reopenedAt, startedAt, firstSeenAt }: ChangedAlert): number {
  return Math.max((reopenedAt ?? startedAt).getTime(), firstSeenAt.getTime() - MOST_LATE_MS);
}

/**
 * Returns the event of alerts that have ended.
 *
 * @param firing what still fires in the incident
 * @param checked UUIDs of services that have checks
 */
export function endedEvent(
  alerts: readonly NamedAlert[],
  firing: FiringAlerts,
  checked: ReadonlySet<string>,
): Ended {
  const isUnknown = alerts.some(
    ({ status, serviceId }) => status === 'stale' && !(serviceId && checked.has(serviceId)),
  );
  return { kind: 'alert_ended', ...quotedOf(alerts), firing, isUnknown };
}

function quotedOf(alerts: readonly NamedAlert[]): { alerts: QuotedAlert[]; more: number } {
  const urgent = alerts.toSorted(
    (one, other) =>
      ALERT_SEVERITIES.indexOf(one.severity) - ALERT_SEVERITIES.indexOf(other.severity),
  );
  const quoted = urgent.slice(0, QUOTED).map(({ id, title, source, status, severity, service }) => {
    return { alertId: id, title, source, status, severity, service };
  });
  return { alerts: quoted, more: alerts.length - quoted.length };
}
