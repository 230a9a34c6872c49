/** Which incident a failing service belongs to. Pure. */
import type { IncidentResolution, IncidentState } from './states';

export interface IncidentCandidate {
  id: string;
  state: IncidentState;
  startedAt: Date;
  resolvedAt: Date | null;
  resolution: IncidentResolution | null;
  /** UUIDs. */
  serviceIds: readonly string[];
}

export type Choice =
  | { kind: 'join'; id: string }
  /** `earlierId`: the last incident of the same service; null if there was none. */
  | { kind: 'open'; earlierId: string | null };

/**
 * Returns the incident that a failing service joins, if it doesn't open a new one: the one that it is part
 * of; else one that began within the last `groupSeconds`; else one of the same service that was resolved
 * within the last `reopenSeconds`, which it reopens. The window of a group doesn't move, so that an
 * incident never takes in whatever fails while it lasts.
 *
 * @param candidates newest first
 */
export function chooseIncident(
  candidates: readonly IncidentCandidate[],
  serviceId: string,
  now: Date,
  settings: { groupSeconds: number; reopenSeconds: number },
): Choice {
  const isWithin = (at: Date | null, seconds: number) =>
    at !== null && now.getTime() - at.getTime() <= seconds * 1_000;
  const active = candidates.filter(({ state }) => state !== 'resolved');
  const own = candidates.filter(({ serviceIds }) => serviceIds.includes(serviceId));
  const chosen =
    own.find(({ state }) => state !== 'resolved') ??
    active.find(({ startedAt }) => isWithin(startedAt, settings.groupSeconds)) ??
    own.find(
      ({ resolvedAt, resolution }) =>
        resolution !== 'merged' && isWithin(resolvedAt, settings.reopenSeconds),
    );
  if (chosen) return { kind: 'join', id: chosen.id };
  return { kind: 'open', earlierId: own[0]?.id ?? null };
}
