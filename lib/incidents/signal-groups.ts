/** Which incidents the alerts of one message belong to, and which of their events are kept. Pure. */

import { chooseForSignal, type SameSignal, type SignalCandidate } from './choose-for-signal';
import { applyEvent, type IncidentEvent } from './events/registry';
import { type Incident, needOf } from './incident';
import type { ChangedSignal } from './signal-events';
import { serviceIdsOf } from './signals-of-incident';

/** Alerts that belong to one incident. */
export interface SignalGroup {
  /** UUID; null: they open one. */
  incidentId: string | null;
  /** Of the incident that they open: the last one of the same alert or service. */
  earlierId: string | null;
  signals: ChangedSignal[];
}

type StoredCandidate = Incident & { id: string };

/**
 * Groups firing alerts by the incident that they join. Those that join none open one together.
 *
 * @param signals oldest first
 * @param stored active incidents and those that were resolved lately, newest first
 * @param same incidents that have the same alert, by its UUID
 */
export function groupSignals(
  signals: readonly ChangedSignal[],
  stored: readonly StoredCandidate[],
  same: ReadonlyMap<string, readonly SameSignal[]>,
  now: Date,
  settings: { groupSeconds: number; reopenSeconds: number },
): SignalGroup[] {
  const candidates: SignalCandidate[] = stored.map((incident) => ({
    ...incident,
    serviceIds: serviceIdsOf(incident),
  }));
  const groups = new Map<string, SignalGroup>();
  let opened: SignalGroup | null = null;
  for (const signal of signals) {
    const choosing = {
      ...signal,
      isReopened: signal.reopenedAt !== null,
      same: same.get(signal.id) ?? [],
    };
    const choice = chooseForSignal(candidates, choosing, now, settings);
    if (choice.kind === 'ignore') continue;
    if (choice.kind === 'open') {
      opened ??= { incidentId: null, earlierId: choice.earlierId, signals: [] };
      opened.signals.push(signal);
      continue;
    }
    const group = groups.get(choice.id) ?? { incidentId: choice.id, earlierId: null, signals: [] };
    group.signals.push(signal);
    groups.set(choice.id, group);
  }
  return [...groups.values(), ...(opened ? [opened] : [])];
}

/** From then on, alerts that change nothing are only counted with their incident. */
export const MAX_SIGNAL_EVENTS = 100;

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
  if (hasNews && incident.sequence < MAX_SIGNAL_EVENTS) return true;
  const { incident: after } = applyEvent(incident, event, now);
  const relevant = (each: Incident) =>
    JSON.stringify([each.state, each.severity, needOf(each), each.alerts]);
  return relevant(incident) !== relevant(after);
}
