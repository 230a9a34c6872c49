/** Which incidents the alerts of one message belong to, and which of their events are kept. Pure. */
import type { ChangedAlert } from './alert-events';
import { serviceIdsOf } from './alerts-of-incident';
import { applyEvent } from './apply-event';
import { type AlertCandidate, chooseForAlert, type SameAlert } from './choose-for-alert';
import type { Incident, IncidentEvent } from './incident';

/** Alerts that belong to one incident. */
export interface AlertGroup {
  /** UUID; null: they open one. */
  incidentId: string | null;
  /** Of the incident that they open: the last one of the same alert or service. */
  earlierId: string | null;
  alerts: ChangedAlert[];
}

type StoredCandidate = Incident & { id: string };

/**
 * Groups firing alerts by the incident that they join. Those that join none open one together.
 *
 * @param alerts oldest first
 * @param stored active incidents and those that were resolved lately, newest first
 * @param same incidents that have the same alert, by its UUID
 */
export function groupAlerts(
  alerts: readonly ChangedAlert[],
  stored: readonly StoredCandidate[],
  same: ReadonlyMap<string, readonly SameAlert[]>,
  now: Date,
  settings: { groupSeconds: number; reopenSeconds: number },
): AlertGroup[] {
  const candidates: AlertCandidate[] = stored.map((incident) => ({
    ...incident,
    serviceIds: serviceIdsOf(incident),
  }));
  const groups = new Map<string, AlertGroup>();
  let opened: AlertGroup | null = null;
  for (const alert of alerts) {
    const choosing = {
      ...alert,
      isReopened: alert.reopenedAt !== null,
      same: same.get(alert.id) ?? [],
    };
    const choice = chooseForAlert(candidates, choosing, now, settings);
    if (choice.kind === 'ignore') continue;
    if (choice.kind === 'open') {
      opened ??= { incidentId: null, earlierId: choice.earlierId, alerts: [] };
      opened.alerts.push(alert);
      continue;
    }
    const group = groups.get(choice.id) ?? { incidentId: choice.id, earlierId: null, alerts: [] };
    group.alerts.push(alert);
    groups.set(choice.id, group);
  }
  return [...groups.values(), ...(opened ? [opened] : [])];
}

/** From then on, alerts that change nothing are only counted with their incident. */
export const MAX_ALERT_EVENTS = 100;

/**
 * Returns whether an event about alerts is kept: a flood into one incident makes few events, and each
 * that changes the incident is one of them.
 *
 * @param hasNews the event is about alerts that are new, or new in this state
 */
export function isWorthAnEvent(
  incident: Incident & { sequence: number },
  event: IncidentEvent,
  hasNews: boolean,
  now: Date,
): boolean {
  if (hasNews && incident.sequence < MAX_ALERT_EVENTS) return true;
  const { incident: after } = applyEvent(incident, event, now);
  const relevant = ({ state, severity, needsHuman, alerts }: Incident) =>
    JSON.stringify([state, severity, needsHuman, alerts]);
  return relevant(incident) !== relevant(after);
}
