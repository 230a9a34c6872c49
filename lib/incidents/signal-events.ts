/** Events about alerts that fire or end together. Pure. */

import { SIGNAL_SEVERITIES } from '@/lib/signals/schema';
import type { NamedSignal } from '@/lib/signals/signal-rows';
import type { QuotedSignal } from './events/event-kind';
import type { EventOf } from './events/registry';
import type { FiringSignals } from './incident';

/** How many alerts an event quotes: a flood makes one event with a count. */
const QUOTED = 10;

/** Alertmanager and Grafana report a new alert of a group within 5 minutes, unless they are set otherwise. */
const MAX_LATE_MS = 300_000;

/** `reopenedAt`: it had ended, and fires again since then as the same occurrence; null otherwise. */
export type ChangedSignal = NamedSignal & { reopenedAt: Date | null };

/**
 * Returns the event of alerts that fire.
 *
 * @param signals at least one
 * @param firing what fires in the incident with them; null: only they do
 */
export function firingEvent(
  signals: readonly ChangedSignal[],
  firing: FiringSignals | null,
): EventOf<'alert_firing'> {
  const services = new Map(
    signals.flatMap(({ serviceId, service }) =>
      serviceId && service ? [[serviceId, { serviceId, name: service }] as const] : [],
    ),
  );
  const hasOther = signals.some(({ serviceId }) => serviceId === null);
  const starts = signals.map(({ reopenedAt, startedAt }) => (reopenedAt ?? startedAt).getTime());
  return {
    kind: 'alert_firing',
    ...quotedOf(signals),
    severity: signals.some(({ severity }) => severity === 'critical') ? 'critical' : 'warning',
    services: [...services.values()],
    sources: [...new Set(signals.map(({ source }) => source))],
    hasOther,
    startedAt: new Date(Math.min(...starts)).toISOString(),
    newestAt: new Date(Math.max(...signals.map(latestStart))).toISOString(),
    firing: firing ?? { serviceIds: [...services.keys()].toSorted(), hasOther },
  };
}

/** When an alert began, in milliseconds. One that was first received much later is of a clock that is behind. */
function latestStart({ reopenedAt, startedAt, firstSeenAt }: ChangedSignal): number {
  return Math.max((reopenedAt ?? startedAt).getTime(), firstSeenAt.getTime() - MAX_LATE_MS);
}

/**
 * Returns the event of alerts that have ended.
 *
 * @param firing what still fires in the incident
 * @param checked UUIDs of services that have checks
 */
export function endedEvent(
  signals: readonly NamedSignal[],
  firing: FiringSignals,
  checked: ReadonlySet<string>,
): EventOf<'alert_ended'> {
  const isUnknown = signals.some(
    ({ status, serviceId }) => status === 'stale' && !(serviceId && checked.has(serviceId)),
  );
  return { kind: 'alert_ended', ...quotedOf(signals), firing, isUnknown };
}

function quotedOf(signals: readonly NamedSignal[]): { alerts: QuotedSignal[]; more: number } {
  const urgent = signals.toSorted(
    (one, other) =>
      SIGNAL_SEVERITIES.indexOf(one.severity) - SIGNAL_SEVERITIES.indexOf(other.severity),
  );
  const quoted = urgent.slice(0, QUOTED).map(({ id, title, source, status, severity, service }) => {
    return { alertId: id, title, source, status, severity, service };
  });
  return { alerts: quoted, more: signals.length - quoted.length };
}
